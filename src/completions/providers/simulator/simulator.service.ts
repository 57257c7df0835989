import { Injectable } from '@nestjs/common';
import { from, Observable, switchMap } from 'rxjs';
import { InjectSettings, type Settings } from '../../../config/settings.js';
import type { ChatCompletionChunk, ChatDelta, CompletionUsage, FinishReason } from '../../chat.types.js';
import type { Answer, CompletionCall } from '../../completion.call.js';
import { countPromptTokens } from '../../metering/prompt-tokens.js';
import { TokenCounter } from '../../metering/token-counter.js';
import { simulatedText } from './simulator.text.js';

interface Simulated {
  /** Pieces of one token each. */
  pieces: string[];
  finishReason: FinishReason;
  usage: CompletionUsage;
}

/** Answers without a network, at a set pace, for first steps and load tests. Its text says that it is simulated. */
@Injectable()
export class SimulatorService {
  constructor(
    private readonly tokens: TokenCounter,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  answer(call: CompletionCall): Observable<Answer> {
    return from(this.simulate(call)).pipe(
      switchMap((simulated) => (call.request.stream ? this.stream(call, simulated) : this.whole(call, simulated))),
    );
  }

  private async simulate({ request, model }: CompletionCall): Promise<Simulated> {
    const all = await this.tokens.split(simulatedText(request, model.id));
    const limit = request.max_completion_tokens ?? request.max_tokens ?? Number.POSITIVE_INFINITY;
    const { pieces, finishReason } = cut(all, limit, request.stop ?? []);
    const prompt = await countPromptTokens(request, this.tokens);
    const completion = pieces.length * (request.n ?? 1);
    const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    return { pieces, finishReason, usage };
  }

  private whole(call: CompletionCall, { pieces, finishReason, usage }: Simulated): Observable<Answer> {
    const message = { role: 'assistant' as const, content: pieces.join(''), refusal: null };
    const completion: Answer = {
      ...commonFields(call, 'chat.completion'),
      choices: indexes(call).map((index) => ({ index, message, finish_reason: finishReason, logprobs: null })),
      usage,
    };
    return new Observable((subscriber) => {
      const timer = setTimeout(() => {
        subscriber.next(completion);
        subscriber.complete();
      }, this.msPerToken * pieces.length);
      return () => clearTimeout(timer);
    });
  }

  private stream(call: CompletionCall, { pieces, finishReason, usage }: Simulated): Observable<Answer> {
    const base = commonFields(call, 'chat.completion.chunk');
    const toChunk = (delta: ChatDelta, finish: FinishReason | null): ChatCompletionChunk => ({
      ...base,
      choices: indexes(call).map((index) => ({ index, delta, finish_reason: finish })),
    });
    return new Observable((subscriber) => {
      const pace = new Pace(this.msPerToken, pieces.length, (position) => {
        const piece = pieces[position];
        if (piece !== undefined) return subscriber.next(toChunk({ content: piece }, null));
        subscriber.next(toChunk({}, finishReason));
        subscriber.next({ ...base, choices: [], usage });
        subscriber.complete();
      });
      call.flow = pace;
      pace.resume();
      subscriber.next(toChunk({ role: 'assistant', content: '', refusal: null }, null));
      return () => pace.pause();
    });
  }

  private get msPerToken(): number {
    return 1000 / this.settings.simulator.tokensPerSecond;
  }
}

/** Calls `step` for each position from 0 to `last`, one every `ms`, in bunches where `ms` is shorter than a timer. */
class Pace {
  private position = 0;
  private timer: NodeJS.Timeout | undefined;
  private dueAt = 0;
  private paused = true;

  constructor(
    private readonly ms: number,
    private readonly last: number,
    private readonly step: (position: number) => void,
  ) {}

  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    this.dueAt = performance.now() + this.ms;
    this.timer = setTimeout(() => this.advance(), this.ms);
  }

  pause(): void {
    this.paused = true;
    clearTimeout(this.timer);
  }

  private advance(): void {
    for (const now = performance.now(); this.isGoing && this.dueAt <= now; this.dueAt += this.ms) {
      this.step(this.position++);
    }
    if (this.isGoing) this.timer = setTimeout(() => this.advance(), Math.max(0, this.dueAt - performance.now()));
  }

  /** A step may pause it. */
  private get isGoing(): boolean {
    return !this.paused && this.position <= this.last;
  }
}

/** A stop sequence ends the text before it, the limit after so many tokens. */
function cut(all: string[], limit: number, stop: string | string[]): { pieces: string[]; finishReason: FinishReason } {
  const stops = [stop].flat().filter((sequence) => sequence !== '');
  const text = all.join('');
  const at = Math.min(...stops.map((sequence) => text.indexOf(sequence)).filter((position) => position >= 0));
  const pieces: string[] = [];
  let length = 0;
  for (const piece of all) {
    if (length >= at) return { pieces, finishReason: 'stop' };
    if (pieces.length >= limit) return { pieces, finishReason: 'length' };
    pieces.push(piece.slice(0, at - length));
    length += piece.length;
  }
  return { pieces, finishReason: 'stop' };
}

function commonFields<Kind extends Answer['object']>({ id, startedAt, model }: CompletionCall, object: Kind) {
  return { id, object, created: Math.floor(startedAt.getTime() / 1000), model: model.id };
}

function indexes({ request }: CompletionCall): number[] {
  return Array.from({ length: request.n ?? 1 }, (_, index) => index);
}
