import { type Ticking, ticker } from '../../common/slots.js';
import type { Clocks } from '../../config/upstreams.settings.js';

export type ClockName = keyof Clocks;

/** The total clock runs in parallel to the clock of the current phase. */
type Phase = Exclude<ClockName, 'total'>;

/** The five clocks of one exchange, checked by the shared ticker. Instants are `performance.now()`. */
export class ExchangeClock implements Ticking {
  slot = -1;
  private phase: Phase = 'connect';
  private startedAt = performance.now();
  private pieceAt = 0;
  private pausedAt = 0;
  private isPaused = false;

  /** `ranOut` is called at most once, and never after `stop()`. */
  constructor(
    private readonly clocks: Clocks,
    private readonly deadline: number,
    private readonly streamed: boolean,
    private readonly owner: { ranOut(clock: ClockName): void },
  ) {}

  /** False if the total clock has already run out. */
  start(): boolean {
    if (this.deadline <= this.startedAt) return false;
    ticker.add(this);
    return true;
  }

  connected(): void {
    this.phase = 'head';
  }

  /** `awaitsEvent`: a stream of events is expected. */
  headSeen(awaitsEvent: boolean): void {
    this.phase = awaitsEvent ? 'firstEvent' : 'idle';
    this.pieceAt = performance.now();
  }

  pieceSeen(): void {
    this.pieceAt = performance.now();
  }

  eventSeen(): void {
    if (this.phase !== 'firstEvent') return;
    this.phase = 'idle';
    this.pieceAt = performance.now();
  }

  pause(): void {
    if (this.isPaused) return;
    this.isPaused = true;
    this.pausedAt = performance.now();
  }

  /** The phase clocks continue with the time they had left. */
  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    const now = performance.now();
    this.startedAt += now - this.pausedAt;
    this.pieceAt += now - Math.max(this.pausedAt, this.pieceAt);
  }

  stop(): void {
    ticker.remove(this);
  }

  tick(now: number): void {
    if (this.deadline <= now) this.runOut('total');
    else if (this.phaseEndsAt() <= now) this.runOut(this.phase);
  }

  private runOut(clock: ClockName): void {
    this.stop();
    this.owner.ranOut(clock);
  }

  private phaseEndsAt(): number {
    if (this.isPaused) return Number.POSITIVE_INFINITY;
    if (this.phase === 'idle') return this.pieceAt + this.clocks.idle;
    return this.startedAt + this.phaseLimit(this.phase);
  }

  /** All three limits count from the request, so a shorter limit of a later phase also ends an earlier phase. */
  private phaseLimit(phase: Exclude<Phase, 'idle'>): number {
    const { connect, head, firstEvent } = this.clocks;
    if (phase === 'firstEvent') return firstEvent;
    const headLimit = this.streamed ? Math.min(head, firstEvent) : head;
    return phase === 'head' ? headLimit : Math.min(connect, headLimit);
  }
}
