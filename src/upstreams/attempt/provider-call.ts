import { setImmediate as nextTurn } from 'node:timers/promises';
import { catchError, defer, EMPTY, from, map, mergeMap, type Observable, toArray } from 'rxjs';
import { stringifyInTurns } from '../../json/json-in-turns.js';
import { rawJsonOf } from '../../json/raw-json.js';
import type { Answer, ChatCompletion, ChatCompletionRequest } from '../contract/chat.types.js';
import type { JsonObject } from '../contract/json.js';
import type { HostedCallLimits, ProviderCall } from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';
import type { LiveTarget } from '../target.types.js';
import { withKnownMediaTypes } from './media-types.js';

export interface AttemptedCall {
  readonly id: string;
  readonly startedAt: Date;
  /** The model's name in the answer. */
  readonly modelName: string;
  readonly model: { readonly maxOutputTokens: number | null; readonly price: { readonly isPaid: boolean } };
  /** Absent or null: the provider may call its tools as often as the request allows. */
  readonly maxHostedCalls?: HostedCallLimits | null;
}

/** What a target's adapter knows of a call. */
export function toProviderCall(
  { id, startedAt, modelName, model, maxHostedCalls = null }: AttemptedCall,
  request: ChatCompletionRequest,
  { upstream, upstreamModel, reasonsWithoutTools, traits }: LiveTarget,
): ProviderCall {
  return {
    id,
    created: Math.floor(startedAt.getTime() / 1000),
    model: modelName,
    upstreamModel,
    request: withKnownMediaTypes(request),
    reasonsWithoutTools,
    traits,
    maxOutputTokens: model.maxOutputTokens,
    isPaid: model.price.isPaid,
    maxHostedCalls,
    settings: upstream.settings,
  };
}

/** The maximum number of concurrent requests of one attempt. */
const AT_THE_SAME_TIME = 4;

/**
 * An attempt with several requests, whose answers are joined in their order. If one fails, no more are sent, and those
 * that were sent are awaited, as the provider bills them: the attempt then fails with their usage. `tokens`: the likely
 * ones of each request, for answers that report none.
 */
export function joinedAttempt<Attempt extends { readonly answer: Observable<Answer> }>(
  first: Attempt,
  others: readonly Attempt[],
  join: (answers: readonly ChatCompletion[]) => ChatCompletion,
  tokens: readonly number[],
): Attempt {
  const answer = defer(() => {
    let failed: { readonly error: unknown } | null = null;
    const onFailure = (error: unknown) => {
      failed ??= { error };
      return EMPTY;
    };
    return from([first, ...others]).pipe(
      mergeMap((part, index) => {
        if (failed) return EMPTY;
        return part.answer.pipe(
          map((one) => ({ index, one: one as ChatCompletion })),
          catchError(onFailure),
        );
      }, AT_THE_SAME_TIME),
      toArray(),
      map((answered) => {
        const inOrder = answered.sort((a, b) => a.index - b.index);
        if (failed) throw withUsageOf(inOrder, failed.error, tokens);
        return join(inOrder.map(({ one }) => one));
      }),
    );
  });
  return { ...first, answer };
}

interface AnsweredPart {
  readonly index: number;
  readonly one: ChatCompletion;
}

function withUsageOf(answered: readonly AnsweredPart[], error: unknown, tokens: readonly number[]): unknown {
  if (!(error instanceof UpstreamError) || answered.length === 0) return error;
  const { failure } = error;
  const prompt = answered.reduce(
    (sum, { index, one }) => sum + (one.usage?.prompt_tokens ?? tokens[index] ?? 0),
    failure.usage?.prompt_tokens ?? 0,
  );
  const isEstimated = answered.some(({ one }) => one.usage === undefined);
  const usage = { prompt_tokens: prompt, completion_tokens: 0, total_tokens: prompt };
  return new UpstreamError({ ...failure, usage, isEstimated }, { cause: error.cause });
}

/** Serializes a body. Unchanged lists, such as messages with images, are sent as the bytes from the caller. */
export function sentJson(body: JsonObject): string | Buffer {
  const raws = rawsOf(body);
  return raws === null ? JSON.stringify(body) : spliced(body, raws, JSON.stringify(withoutRaws(body, raws)));
}

/** Serializes megabytes in several turns of the event loop. */
export async function sentJsonInTurns(body: JsonObject): Promise<Buffer> {
  const raws = rawsOf(body);
  if (raws === null) return stringifyInTurns(body, nextTurn);
  const others = await stringifyInTurns(withoutRaws(body, raws), nextTurn);
  return spliced(body, raws, others);
}

function rawsOf(body: JsonObject): Map<string, Buffer> | null {
  let raws: Map<string, Buffer> | null = null;
  for (const name in body) {
    const raw = rawJsonOf(body[name]);
    if (!raw) continue;
    raws ??= new Map();
    raws.set(name, raw);
  }
  return raws;
}

function withoutRaws(body: JsonObject, raws: ReadonlyMap<string, Buffer>): JsonObject {
  const others: JsonObject = {};
  for (const name in body) if (!raws.has(name)) others[name] = body[name];
  return others;
}

/** `others`: the JSON object of all fields that are not raw. */
function spliced(body: JsonObject, raws: ReadonlyMap<string, Buffer>, others: string | Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (const name in body) {
    const raw = raws.get(name);
    if (raw) pieces.push(Buffer.from(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:`), raw);
  }
  const rest = typeof others === 'string' ? Buffer.from(others) : others;
  if (rest.length > 2) pieces.push(Buffer.from(','));
  pieces.push(rest.subarray(1));
  return Buffer.concat(pieces);
}
