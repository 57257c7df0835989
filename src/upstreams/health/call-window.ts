const SLOTS = 10;

/** A sliding window of recent calls and failures that moves in steps of a tenth. */
export class CallWindow {
  private readonly calls = new Uint32Array(SLOTS);
  private readonly failures = new Uint32Array(SLOTS);
  /** The number of the time slice in each slot. */
  private readonly slices = new Float64Array(SLOTS).fill(-1);

  add(now: number, lengthMs: number, failed: boolean): void {
    const slice = sliceOf(now, lengthMs);
    const slot = slice % SLOTS;
    if (this.slices[slot] !== slice) {
      this.slices[slot] = slice;
      this.calls[slot] = 0;
      this.failures[slot] = 0;
    }
    this.calls[slot] = (this.calls[slot] ?? 0) + 1;
    if (failed) this.failures[slot] = (this.failures[slot] ?? 0) + 1;
  }

  count(now: number, lengthMs: number): { calls: number; failures: number } {
    const oldest = sliceOf(now, lengthMs) - SLOTS;
    let calls = 0;
    let failures = 0;
    for (let slot = 0; slot < SLOTS; slot++) {
      if ((this.slices[slot] ?? -1) <= oldest) continue;
      calls += this.calls[slot] ?? 0;
      failures += this.failures[slot] ?? 0;
    }
    return { calls, failures };
  }

  clear(): void {
    this.slices.fill(-1);
  }
}

function sliceOf(now: number, lengthMs: number): number {
  return Math.floor((now * SLOTS) / lengthMs);
}
