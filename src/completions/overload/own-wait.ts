/** Counts and times the calls that wait for the gateway itself, not for an upstream. */
export class OwnWait {
  underWay = 0;
  /** Total since the process started. */
  begun = 0;
  private ended = 0;
  private isToBeTimed = true;
  private quickest = Infinity;

  /** Returns what to pass to `end`. Only one wait in each period is timed, because reading the clock costs time. */
  begin(): number {
    this.underWay++;
    this.begun++;
    if (!this.isToBeTimed) return 0;
    this.isToBeTimed = false;
    return performance.now();
  }

  end(begunAt: number): void {
    this.underWay--;
    this.ended++;
    if (begunAt > 0) this.quickest = Math.min(this.quickest, performance.now() - begunAt);
  }

  /** The waits that ended since the last `take`, and the shortest timed one in ms. */
  take(): { ended: number; quickest: number } {
    const { ended, quickest } = this;
    this.ended = 0;
    this.quickest = Infinity;
    this.isToBeTimed = true;
    return { ended, quickest };
  }
}
