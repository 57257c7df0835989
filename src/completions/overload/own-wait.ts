/** Where calls wait for the gateway itself and not for an upstream: how many do, and what is known of how long. */
export class OwnWait {
  underWay = 0;
  /** Since the start. */
  begun = 0;
  private ended = 0;
  private isToBeTimed = true;
  private quickest = Infinity;

  /** What `end` is to be told. One wait in each period is timed: a clock for all would cost each. */
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

  /** What there was since this was last asked: waits that ended, and the shortest of those that were timed, in ms. */
  take(): { ended: number; quickest: number } {
    const { ended, quickest } = this;
    this.ended = 0;
    this.quickest = Infinity;
    this.isToBeTimed = true;
    return { ended, quickest };
  }
}
