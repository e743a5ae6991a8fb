// The grid of name and arms: how wide the column of an arm is.

/** Arms stand below each other on screens narrower than this. */
export function isNarrow(): boolean {
  return matchMedia('(max-width: 40rem)').matches;
}

/** Width in pixels of one arm's column in a grid like .tracks. */
export function columnWidth(grid: HTMLElement, arms: number): number {
  if (isNarrow()) return grid.clientWidth;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.max(80, Math.floor((grid.clientWidth - 6.25 * rem - arms * 0.75 * rem) / arms));
}
