// The grid of name and arms: how wide the column of an arm is.

/** Arms stand below each other on screens narrower than this. */
export function isNarrow(): boolean {
  return matchMedia('(max-width: 40rem)').matches;
}

/** The columns of a grid like .tracks. */
export class Columns {
  private grid = 0;
  private rem = 0;

  /** Calls changed in a frame after the grid has another width. */
  constructor(
    private readonly root: HTMLElement,
    changed: () => void,
  ) {
    new ResizeObserver(() => {
      // its height changes with what is drawn
      const { grid, rem } = this;
      this.measure();
      if (this.grid !== grid || this.rem !== rem) requestAnimationFrame(changed);
    }).observe(root);
  }

  /** Width in pixels of one arm's column, by the last layout: to measure now would lay out what views have just written. */
  width(arms: number): number {
    if (this.grid === 0) this.measure();
    if (isNarrow()) return this.grid;
    return Math.max(80, Math.floor((this.grid - 6.25 * this.rem - arms * 0.75 * this.rem) / arms));
  }

  private measure(): void {
    this.grid = this.root.clientWidth;
    this.rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  }
}
