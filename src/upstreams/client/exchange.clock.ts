import type { Clocks } from '../../config/upstreams.settings.js';

export type ClockName = keyof Clocks;

/** The longest delay that a timer of Node takes, in ms. */
const LONGEST_DELAY = 2 ** 31 - 1;

/** Each phase of an exchange has its clock; the total one runs beside them. */
type Phase = Exclude<ClockName, 'total'>;

/**
 * The five clocks of one exchange on a single timer. It is set for the clock that would run out first, and never reset
 * by mere progress: when it fires early, it is set again for what is left. Instants are `performance.now()`.
 */
export class ExchangeClock {
  private phase: Phase = 'connect';
  private startedAt = performance.now();
  private pieceAt = 0;
  private pausedAt = 0;
  private isPaused = false;
  private timer: NodeJS.Timeout | undefined;
  private firesAt = Number.POSITIVE_INFINITY;

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
    this.arm();
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
    this.arm();
  }

  pieceSeen(): void {
    this.pieceAt = performance.now();
  }

  eventSeen(): void {
    if (this.phase !== 'firstEvent') return;
    this.phase = 'idle';
    this.pieceAt = performance.now();
    this.arm();
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
    this.arm();
  }

  /** For good: whatever is seen afterwards sets no timer. */
  stop(): void {
    clearTimeout(this.timer);
    this.firesAt = Number.NEGATIVE_INFINITY;
  }

  private arm(): void {
    const dueAt = Math.min(this.phaseEndsAt(), this.deadline);
    if (dueAt >= this.firesAt) return;
    clearTimeout(this.timer);
    this.firesAt = dueAt;
    const delay = Math.min(Math.ceil(dueAt - performance.now()), LONGEST_DELAY);
    this.timer = setTimeout(() => this.check(), delay);
  }

  private check(): void {
    this.firesAt = Number.POSITIVE_INFINITY;
    // A timer may fire up to a millisecond early.
    const now = performance.now() + 1;
    if (this.deadline <= now) this.owner.ranOut('total');
    else if (this.phaseEndsAt() <= now) this.owner.ranOut(this.phase);
    else this.arm();
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
