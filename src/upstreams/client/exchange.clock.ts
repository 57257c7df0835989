import { type Ticking, ticker } from '../../common/ticker.js';
import type { Clocks } from '../../config/upstreams.settings.js';

export type ClockName = keyof Clocks;

/** Each phase of an exchange has its clock; the total one runs beside them. */
type Phase = Exclude<ClockName, 'total'>;

/** The five clocks of one exchange, looked at by a ticker. Instants are `performance.now()`. */
export class ExchangeClock implements Ticking {
  slot = -1;
  private phase: Phase = 'connect';
  private startedAt = performance.now();
  private pieceAt = 0;
  private pausedAt = 0;
  private isPaused = false;

  /** `ranOut` is called once at most, and not after `stop()`. */
  constructor(
    private readonly clocks: Clocks,
    private readonly deadline: number,
    private readonly streamed: boolean,
    private readonly owner: { ranOut(clock: ClockName): void },
  ) {}

  /** False if the total clock has run out already. */
  start(): boolean {
    if (this.deadline <= this.startedAt) return false;
    ticker.add(this);
    return true;
  }

  /** A connection stands and the request is being written. */
  connected(): void {
    this.phase = 'head';
  }

  /** The head is here; `awaitsEvent`: what follows should be a stream of events. */
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

  /** Every clock but the total one goes on with what it had left. */
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

  /** Called by the ticker. */
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

  /** These three count from the request, so a later one that is shorter ends an earlier phase too. */
  private phaseLimit(phase: Exclude<Phase, 'idle'>): number {
    const { connect, head, firstEvent } = this.clocks;
    if (phase === 'firstEvent') return firstEvent;
    const headLimit = this.streamed ? Math.min(head, firstEvent) : head;
    return phase === 'head' ? headLimit : Math.min(connect, headLimit);
  }
}
