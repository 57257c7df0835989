import { Injectable } from '@nestjs/common';

const UNKNOWN_SPEED = 100;
/** Weight of all earlier answers when a new one arrives. */
const DECAY = 0.9;

interface Sums {
  tokens: number;
  seconds: number;
}

/** Tokens per second of each model in its last complete answers in this process. */
@Injectable()
export class ModelSpeeds {
  private readonly sums = new Map<string, Sums>();

  /** `tokens` include reasoning; `ms` count from the start of the request. */
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
