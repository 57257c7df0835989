import { Injectable } from '@nestjs/common';

/** Tokens a second of a model that has not answered yet. */
const UNKNOWN_SPEED = 100;
/** How much an answer counts once another has come. */
const DECAY = 0.9;

interface Sums {
  tokens: number;
  seconds: number;
}

/** How fast models write: tokens a second over their last whole answers in this process. */
@Injectable()
export class UsualSpeeds {
  /** By the model's id: there are no more than in the catalog. */
  private readonly sums = new Map<string, Sums>();

  /** A whole answer of so many tokens, reasoning included, came within so much time from when it was asked for. */
  note(modelId: string, tokens: number, ms: number): void {
    if (tokens <= 0 || ms <= 0) return;
    let sums = this.sums.get(modelId);
    if (sums === undefined) {
      sums = { tokens: 0, seconds: 0 };
      this.sums.set(modelId, sums);
    }
    sums.tokens = sums.tokens * DECAY + tokens;
    sums.seconds = sums.seconds * DECAY + ms / 1000;
  }

  of(modelId: string): number {
    const sums = this.sums.get(modelId);
    return sums === undefined ? UNKNOWN_SPEED : sums.tokens / sums.seconds;
  }
}
