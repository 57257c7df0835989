import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { defer, map, Observable, switchMap } from 'rxjs';
import { InjectSettings, type Settings } from '../config/settings.js';
import { embeddingEntries } from './attempt/embeddings.reader.js';
import { DeferredFlow } from './client/read-all.js';
import type {
  Answer,
  ChatChunkChoice,
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionRequest,
  CompletionUsage,
} from './contract/chat.types.js';
import type { EmbeddingBody, NativeBody } from './contract/native.body.js';
import type { Flow } from './contract/upstream.types.js';
import {
  chunkWithFunctionCall,
  wantsFunctionCall,
  withFunctionCall,
  withTools,
} from './providers/shared/legacy-functions.js';
import { type SimulatedAnswer, simulatedAnswer } from './simulator/simulated-answer.js';
import { countPromptTokens } from './tokens/prompt-tokens.js';
import { TokenCounter } from './tokens/token-counter.js';

type Simulated = SimulatedAnswer & { usage: CompletionUsage };

export interface SimulatedCall {
  readonly id: string;
  readonly request: ChatCompletionRequest;
  /** The model's name in the answer. */
  readonly modelName: string;
  /** Set for an embedding model. */
  readonly dimensions: number | null;
  readonly native: NativeBody | null;
  readonly startedAt: Date;
}

interface Simulation {
  readonly flow: Flow;
  readonly answer: Observable<Answer>;
}

/**
 * Answers without a network, at a configured pace, for first steps and load tests. The text says that it is simulated.
 * Follows response formats, and calls tools that are required or that the user names.
 */
@Injectable()
export class SimulatorService {
  constructor(
    private readonly tokens: TokenCounter,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  answer(call: SimulatedCall): Simulation {
    const flow = new DeferredFlow();
    const { native, dimensions } = call;
    if (native?.api === 'embeddings' && dimensions !== null) {
      const envelope = { ...commonFields(call, 'chat.completion'), choices: [] };
      return { flow, answer: defer(() => simulatedEmbeddings(native, dimensions, envelope, this.tokens)) };
    }
    const answer = defer(() => this.simulate(call)).pipe(
      switchMap((simulated) =>
        call.request.stream ? this.stream(call, simulated, flow) : this.whole(call, simulated),
      ),
    );
    return { flow, answer: wantsFunctionCall(call.request) ? answer.pipe(map(toLegacyForm)) : answer };
  }

  private async simulate({ id, request, modelName }: SimulatedCall): Promise<Simulated> {
    const answer = await simulatedAnswer(withTools(request), { id, model: modelName }, (text) =>
      this.tokens.split(text),
    );
    const prompt = await countPromptTokens(request, this.tokens);
    const completion = answer.pieces.length * (request.n ?? 1);
    const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    return { ...answer, usage };
  }

  private whole(
    call: SimulatedCall,
    { message, logprobs, finishReason, pieces, usage }: Simulated,
  ): Observable<Answer> {
    const completion: Answer = {
      ...commonFields(call, 'chat.completion'),
      choices: indexes(call).map((index) => ({ index, message, finish_reason: finishReason, logprobs })),
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

  private stream(
    call: SimulatedCall,
    { pieces, finishReason, usage }: Simulated,
    flow: DeferredFlow,
  ): Observable<Answer> {
    const base = commonFields(call, 'chat.completion.chunk');
    const toChunk = (choice: Omit<ChatChunkChoice, 'index'>): ChatCompletionChunk => ({
      ...base,
      choices: indexes(call).map((index) => ({ index, ...choice })),
    });
    return new Observable((subscriber) => {
      const pace = new Pace(this.msPerToken, pieces.length, (position) => {
        const piece = pieces[position];
        if (piece !== undefined) {
          const { delta, logprobs } = piece;
          return subscriber.next(toChunk({ delta, finish_reason: null, ...(logprobs && { logprobs }) }));
        }
        subscriber.next(toChunk({ delta: {}, finish_reason: finishReason }));
        subscriber.next({ ...base, choices: [], usage });
        subscriber.complete();
      });
      flow.follow(pace);
      pace.resume();
      subscriber.next(toChunk({ delta: { role: 'assistant', content: '', refusal: null }, finish_reason: null }));
      return () => pace.pause();
    });
  }

  private get msPerToken(): number {
    return 1000 / this.settings.simulator.tokensPerSecond;
  }
}

function toLegacyForm(answer: Answer): Answer {
  return answer.object === 'chat.completion' ? withFunctionCall(answer) : chunkWithFunctionCall(answer);
}

function commonFields<Kind extends Answer['object']>({ id, startedAt, modelName }: SimulatedCall, object: Kind) {
  return { id, object, created: Math.floor(startedAt.getTime() / 1000), model: modelName };
}

function indexes({ request }: SimulatedCall): number[] {
  return Array.from({ length: request.n ?? 1 }, (_, index) => index);
}

/**
 * Calls `step` for each position from 0 to `last`, once every `ms`, or in batches if `ms` is shorter than a timer's
 * resolution.
 */
class Pace implements Flow {
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

  private get isGoing(): boolean {
    return !this.paused && this.position <= this.last;
  }
}

/** Numbers generated in one turn of the event loop. */
const NUMBERS_A_TURN = 100_000;

/** A vector of length 1 for each input, always the same for the same input and number of dimensions. */
export async function simulatedEmbeddings(
  body: EmbeddingBody,
  modelDimensions: number,
  envelope: ChatCompletion,
  tokens: Pick<TokenCounter, 'count'>,
): Promise<ChatCompletion> {
  const dimensions = body.dimensions ?? modelDimensions;
  const entries: string[] = [];
  let made = 0;
  for (const [index, input] of body.inputs.entries()) {
    entries.push(embeddingEntries([unitVector(input, dimensions)], { ...body, offset: index }));
    made += dimensions;
    if (made < NUMBERS_A_TURN) continue;
    made = 0;
    await nextTurn();
  }
  const count = await countTokens(body, tokens);
  const usage = { prompt_tokens: count, completion_tokens: 0, total_tokens: count };
  return { ...envelope, nativeText: entries.join(','), usage };
}

async function countTokens({ inputs }: EmbeddingBody, tokens: Pick<TokenCounter, 'count'>): Promise<number> {
  let sum = 0;
  for (const input of inputs) sum += typeof input === 'string' ? await tokens.count(input) : input.length;
  return sum;
}

function unitVector(input: string | readonly number[], dimensions: number): number[] {
  const next = numbersFrom(typeof input === 'string' ? input : JSON.stringify(input));
  const vector = Array.from({ length: dimensions }, next);
  const length = Math.sqrt(vector.reduce((sum, number) => sum + number * number, 0)) || 1;
  return vector.map((number) => Math.fround(number / length));
}

/** A generator of numbers from -1 to 1 that only depend on the text (mulberry32). */
function numbersFrom(text: string): () => number {
  let state = createHash('sha256').update(text).digest().readUInt32LE();
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}
