// Work on many like things (the plots of the grid) spread over frames, so that
// none of them becomes long.

export class Batches {
  private jobs: (() => void)[] = [];
  /** Jobs that are still to do, from `next` on and round. */
  private left = 0;
  private next = 0;
  private scheduled = false;

  /** A frame takes at most `most` jobs, and none after `budget` milliseconds; schedule runs its argument in a later one. */
  constructor(
    private readonly schedule: (run: () => void) => void,
    private readonly most: number,
    private readonly budget: number,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Replaces the jobs and begins at once, with the one whose turn it was. */
  set(jobs: (() => void)[]): void {
    this.next = jobs.length === this.jobs.length && this.left > 0 ? this.next : 0;
    this.jobs = jobs;
    this.left = jobs.length;
    this.work();
  }

  private work(): void {
    const start = this.clock();
    for (let n = 0; n < this.most && this.left > 0; n++) {
      const job = this.jobs[this.next] as () => void;
      this.next = (this.next + 1) % this.jobs.length;
      this.left--;
      job();
      if (this.clock() - start > this.budget) break;
    }
    if (this.left === 0 || this.scheduled) return;
    this.scheduled = true;
    this.schedule(() => {
      this.scheduled = false;
      this.work();
    });
  }
}
