import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerScript } from '../answer-script.js';
import { type CountTokens, generatedText } from './tokenizer.js';

const TICK_MS = 60;

/** The range of tokens that were generated in one turn, as positions in the complete answer. */
export interface Turn {
  readonly from: number;
  readonly to: number;
}

/**
 * An answer that is generated at a known speed. It progresses only in turns, so that on a busy machine all generated
 * tokens are sent in the same turn.
 */
export class Generation {
  generated = 0;
  /** The complete answer. */
  readonly total: number;
  readonly isCut: boolean;
  private readonly thinking: number;
  private isReported = false;

  constructor(
    private readonly script: AnswerScript,
    readonly limit: number | null,
    private readonly speed: number,
    private readonly onProgress: (id: string) => void,
  ) {
    const required = script.thinking + script.output;
    this.total = limit === null ? required : Math.min(required, limit);
    this.isCut = this.total < required;
    this.thinking = Math.min(script.thinking, this.total);
  }

  /** Each turn of the answer, until it is complete or breaks, or the client disconnects. */
  async *turns(response: ServerResponse, waitMs: number): AsyncGenerator<Turn> {
    await this.pause(response, waitMs);
    const begunAt = performance.now();
    const { unusable } = this.script;
    const share = this.script.breaksAt ?? (unusable === 'idle' ? 0.5 : 1);
    const end = Math.floor(this.total * share);
    while (!response.destroyed && this.generated < end) {
      const reached = Math.floor(((performance.now() - begunAt) / 1000) * this.speed) + 1;
      const turn = { from: this.generated, to: Math.min(end, reached) };
      this.generated = turn.to;
      if (turn.to > turn.from) yield turn;
      this.reportProgress();
      if (this.generated < end) await this.pause(response, TICK_MS);
    }
    while ((unusable === 'idle' || unusable === 'late head') && !response.destroyed) await this.pause(response, 1000);
  }

  get isBroken(): boolean {
    return this.script.breaksAt !== null;
  }

  thoughts({ from, to }: Turn): string {
    return generatedText(from, Math.min(to, this.thinking));
  }

  text({ from, to }: Turn): string {
    return generatedText(Math.max(from, this.thinking), to);
  }

  /** The number of tokens generated so far; hidden ones are not in the text. */
  tokens(count: CountTokens): number {
    const thought = Math.min(this.generated, this.thinking);
    const shown = { from: this.script.showsThoughts ? 0 : thought, to: this.generated };
    const texts = count(this.thoughts(shown)) + count(this.text(shown));
    return Math.min(this.script.showsThoughts ? texts : thought + texts, this.limit ?? Number.POSITIVE_INFINITY);
  }

  get thoughtTokens(): number {
    return Math.min(this.generated, this.thinking);
  }

  /** Reports the progress when the answer has reached the share that its script specifies. */
  reportProgress(): void {
    const { progressAt, id } = this.script;
    if (progressAt === null || this.isReported || this.generated < this.total * progressAt) return;
    this.isReported = true;
    this.onProgress(id);
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
