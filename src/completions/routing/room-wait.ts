import type { TargetRoom, WaitingCall } from '../../upstreams/capacity/capacity.types.js';
import type { Candidate } from './candidate.js';

/** Who is told how the wait of a call ended. */
export interface RoomEvents {
  /** There is room at a candidate now. */
  cameIn(candidate: Candidate): void;
  /** There was none in time: the call goes on without. */
  proceed(): void;
}

/** A call that waits, in line with others, until one of its candidates has room. */
export class RoomWait implements WaitingCall {
  private readonly timer: NodeJS.Timeout;

  /** `limit`: ms. */
  constructor(
    private readonly candidates: readonly Candidate[],
    readonly tokens: number,
    limit: number,
    private readonly on: RoomEvents,
  ) {
    this.timer = setTimeout(() => this.end(() => on.proceed()), limit);
    for (const { room } of candidates) room.enter(this);
  }

  come(room: TargetRoom): void {
    const candidate = this.candidates.find((one) => one.room === room);
    this.end(() => (candidate ? this.on.cameIn(candidate) : this.on.proceed()));
  }

  /** Without a word to anybody. */
  leave(): void {
    clearTimeout(this.timer);
    for (const { room } of this.candidates) room.leave(this);
  }

  private end(then: () => void): void {
    this.leave();
    then();
  }
}
