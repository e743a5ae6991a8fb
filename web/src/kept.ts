// Which engines of the archive a browser keeps for visits without a network.

/** An engine in the cache. */
export interface Kept {
  id: string;
  /** When the reader ran it last, in ms since 1970. */
  used: number;
  bytes: number;
}

/** Besides the current engine so many are kept, of so many bytes in all. */
export const MOST_ENGINES = 4;
export const MOST_BYTES = 40e6;

/** Engines to drop: all but those used last, the current one never. */
export function superfluous(kept: readonly Kept[], current: string): string[] {
  const others = kept.filter((k) => k.id !== current).sort((a, b) => b.used - a.used || (a.id < b.id ? -1 : 1));
  let bytes = 0;
  return others.filter((k, i) => (bytes += k.bytes) > MOST_BYTES || i >= MOST_ENGINES).map((k) => k.id);
}

/** The engine to whose folder an address below the site belongs, and the file there; null for the rest. */
export function engineFile(scope: string, url: string): { id: string; file: string } | null {
  const path = url.startsWith(scope) ? url.slice(scope.length) : '';
  const m = /^e\/([0-9a-f]{12})\/([\w./-]+)$/.exec(path.split(/[?#]/)[0] as string);
  return m ? { id: m[1] as string, file: m[2] as string } : null;
}
