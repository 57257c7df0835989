import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Wish } from '../wish.js';
import { type CountTokens, generatedText } from './tokenizer.js';

const TICK_MS = 60;

/** Tokens that were generated in one turn: from one to before the other, counted over the whole answer. */
export interface Turn {
  readonly from: number;
  readonly to: number;
}

/**
 * An answer that comes into being at a known speed. It goes on by turns only, so that on a busy machine nothing is
 * generated that was not sent in the same turn.
 */
export class Generation {
  generated = 0;
  /** All that it will be. */
  readonly total: number;
  readonly isCut: boolean;
  private readonly thinking: number;
  private isTold = false;

  constructor(
    private readonly wish: Wish,
    readonly limit: number | null,
    private readonly speed: number,
    private readonly tell: (id: string) => void,
  ) {
    const wanted = wish.thinking + wish.output;
    this.total = limit === null ? wanted : Math.min(wanted, limit);
    this.isCut = this.total < wanted;
    this.thinking = Math.min(wish.thinking, this.total);
  }

  /** Each turn of the answer, until it is whole, breaks or nobody takes it any more. */
  async *turns(response: ServerResponse, waitMs: number): AsyncGenerator<Turn> {
    await this.pause(response, waitMs);
    const begunAt = performance.now();
    const end = this.wish.breaksAt === null ? this.total : Math.floor(this.total * this.wish.breaksAt);
    while (!response.destroyed && this.generated < end) {
      const reached = Math.floor(((performance.now() - begunAt) / 1000) * this.speed) + 1;
      const turn = { from: this.generated, to: Math.min(end, reached) };
      this.generated = turn.to;
      if (turn.to > turn.from) yield turn;
      this.tellIfReached();
      if (this.generated < end) await this.pause(response, TICK_MS);
    }
  }

  get isBroken(): boolean {
    return this.wish.breaksAt !== null;
  }

  thoughts({ from, to }: Turn): string {
    return generatedText(from, Math.min(to, this.thinking));
  }

  text({ from, to }: Turn): string {
    return generatedText(Math.max(from, this.thinking), to);
  }

  /** Tokens of all that was generated until now; what is not shown is not text to be counted. */
  tokens(count: CountTokens): number {
    const thought = Math.min(this.generated, this.thinking);
    const shown = { from: this.wish.showsThoughts ? 0 : thought, to: this.generated };
    const texts = count(this.thoughts(shown)) + count(this.text(shown));
    return Math.min(this.wish.showsThoughts ? texts : thought + texts, this.limit ?? Number.POSITIVE_INFINITY);
  }

  get thoughtTokens(): number {
    return Math.min(this.generated, this.thinking);
  }

  /** The tokens that come are told as well as what is still to come, where nobody is to wait for a token. */
  tellIfReached(): void {
    const { tellAt, id } = this.wish;
    if (tellAt === null || this.isTold || this.generated < this.total * tellAt) return;
    this.isTold = true;
    this.tell(id);
  }

  private async pause(response: ServerResponse, ms: number): Promise<void> {
    if (ms === 0) return;
    const over = new AbortController();
    const onClose = () => over.abort();
    response.once('close', onClose);
    await sleep(ms, undefined, { signal: over.signal }).catch(() => undefined);
    response.off('close', onClose);
  }
}
