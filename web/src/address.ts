// The address bar holds the scenario; nothing else does.

/** Scenario shown when the address names none. */
export const FIRST = 'mg-d-112';

/** Text for the engine from location.hash; it begins with #, so that it is read as a link and as nothing else. */
export function fromHash(hash: string): string {
  if (hash === '' || hash === '#') return `#1;${FIRST}`;
  // mail programs and browsers percent-encode what a link may hold as it is
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

/** The address for a scenario: this page with another fragment. */
export function addressOf(here: string, link: string): string {
  return here.split('#')[0] + link;
}

/** Writes the address a little later, so that a dragged slider writes once. */
export class AddressBar {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The fragment that this page wrote itself last. */
  written = '';

  constructor(private readonly wait = 250) {}

  /** Forgets what was to be written: the reader has gone elsewhere. */
  hold(): void {
    clearTimeout(this.timer);
  }

  show(link: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.written = link;
      if (location.hash !== link) history.replaceState(null, '', link || location.pathname + location.search);
    }, this.wait);
  }
}
