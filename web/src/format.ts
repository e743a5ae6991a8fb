// Numbers as people in the field write them. A real minus sign, a space
// before the unit, no digits that the spread does not support.

const MINUS = '\u2212';

/** Replaces the hyphen of a negative number by a minus sign. */
function minus(t: string): string {
  return t.startsWith('-') ? MINUS + t.slice(1) : t;
}

/** A number with a fixed count of decimals; no "-0". */
export function fixed(v: number, decimals: number): string {
  const t = v.toFixed(decimals);
  return minus(Number(t) === 0 ? t.replace('-', '') : t);
}

/** A signed number; 0 has no sign. */
export function signed(v: number, decimals: number): string {
  const t = fixed(v, decimals);
  return v > 0 && Number(t) !== 0 ? '+' + t : t;
}

/** Seconds with the decimals that fit their size. */
export function seconds(v: number): string {
  return (v >= 100 ? fixed(v, 0) : v >= 10 ? fixed(v, 1) : v >= 0.1 || v === 0 ? fixed(v, 2) : fixed(v, 4)) + ' s';
}

/** Two times with as many decimals as tell them apart, three at most. */
export function secondsApart(a: number, b: number): [string, string] {
  if (seconds(a) !== seconds(b) || a === b) return [seconds(a), seconds(b)];
  let d = 1;
  while (d < 3 && a.toFixed(d) === b.toFixed(d)) d++;
  return [`${fixed(a, d)} s`, `${fixed(b, d)} s`];
}

/** Cursor time. */
export function clock(v: number): string {
  return v.toFixed(2) + ' s';
}

const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Bytes in the largest binary unit below the value. */
export function bytes(v: number): string {
  let u = 0;
  let x = v;
  while (x >= 1024 && u < BINARY.length - 1) {
    x /= 1024;
    u++;
  }
  return `${u === 0 || x >= 100 || Number.isInteger(x) ? x.toFixed(0) : x.toFixed(1)} ${BINARY[u]}`;
}

/** A count, shortened from ten thousand on: 4.73 M, 12.5 k. */
export function count(v: number): string {
  for (const [size, letter, from] of [[1e9, 'G', 1e9], [1e6, 'M', 1e6], [1e3, 'k', 1e4]] as const)
    if (v >= from) return `${(v / size).toFixed(v >= 100 * size ? 0 : v >= 10 * size ? 1 : 2)} ${letter}`;
  // not toLocaleString: its first call takes a twentieth of a second of the first screen
  return String(Math.round(v * 1000) / 1000).replace(/\B(?=(\d{3})+(?:\.|$))/g, '\u202f');
}

/** A value with its unit as the engine names it. */
export function amount(v: number, unit: string): string {
  switch (unit) {
    case 'B':
    case 'bytes':
      return v === 0 ? '0' : bytes(v);
    case 'pages':
      return v === 0 ? '0' : bytes(v * 4096);
    case '':
    case 'threads':
    case 'tasks':
    case 'occupancy':
      return String(v);
    case '%':
    case 'pct':
      return `${v} %`;
    default:
      return `${count(v)} ${unit}`;
  }
}

/** Median of numbers; NaN when there is none. */
export function median(values: readonly number[]): number {
  const a = [...values].sort((x, y) => x - y);
  const n = a.length;
  if (n === 0) return NaN;
  const mid = a[n >> 1] as number;
  return n % 2 ? mid : (mid + (a[(n >> 1) - 1] as number)) / 2;
}
