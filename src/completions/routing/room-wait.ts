import type { TargetRoom, WaitingCall } from '../../upstreams/capacity/capacity.types.js';
import type { Candidate } from './candidate.js';

export interface RoomEvents {
  /** A candidate has room now. */
  roomAvailable(candidate: Candidate): void;
  /** The wait timed out. */
  proceed(): void;
}

export class RoomWait implements WaitingCall {
  private readonly timer: NodeJS.Timeout;

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
    this.end(() => (candidate ? this.on.roomAvailable(candidate) : this.on.proceed()));
  }

  leave(): void {
    clearTimeout(this.timer);
    for (const { room } of this.candidates) room.leave(this);
  }

  private end(then: () => void): void {
    this.leave();
    then();
  }
}
