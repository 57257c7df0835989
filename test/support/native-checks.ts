import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import type { ChatCompletionChunk } from '../../src/upstreams/contract/chat.types.js';
import type { NativeApiName } from '../../src/upstreams/contract/native.body.js';
import type { NativeApi, ProviderCall, UpstreamEvent } from '../../src/upstreams/contract/provider.adapter.js';
import { framed } from '../../src/upstreams/framing/framing.js';
import { PROVIDERS } from '../../src/upstreams/providers/providers.js';
import type { Answer } from './answer.js';
import { anthropicReader } from './anthropic-answer.js';
import { awsEvent } from './aws-event-stream.js';
import { answerOfCompletion, answerOfStream, brokenPromises } from './client-answer.js';
import { cutsOf, type Exchange, singleBytes } from './exchanges.js';
import { providerCall } from './provider-call.js';
import { responsesReader } from './responses-answer.js';
import type { UpstreamReader } from './upstream-reader.js';

/** A native API of an upstream, and a call to it. */
export interface DeclaredApi {
  readonly protocol: string;
  readonly api: NativeApiName;
  readonly native: NativeApi;
  readonly call: ProviderCall;
}

export const READERS: Readonly<Record<NativeApiName, UpstreamReader>> = {
  responses: responsesReader,
  messages: anthropicReader,
};

const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';

export function callTo(protocol: string, request: Parameters<typeof providerCall>[0] = {}): ProviderCall {
  const call = { ...providerCall({ stream: true, ...request }), settings: { responses: 'true' } };
  return protocol === 'bedrock' ? { ...call, upstreamModel: CLAUDE } : call;
}

/** All that the adapters declare, with every option on. */
export function declaredApis(): DeclaredApi[] {
  const apis: readonly NativeApiName[] = ['responses', 'messages'];
  return PROVIDERS.flatMap((adapter) =>
    apis.flatMap((api) => {
      const call = callTo(adapter.protocol);
      const native = adapter.nativeApi?.(api, call) ?? null;
      return native === null ? [] : [{ protocol: adapter.protocol, api, native, call }];
    }),
  );
}

interface SentEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of SSE text: one `data:` line each. */
export function eventsIn(sse: string): SentEvent[] {
  return sse
    .split(/\r?\n\r?\n/)
    .map((event) => ({ event: lineOf(event, 'event'), data: lineOf(event, 'data') }))
    .filter(({ data }) => data.startsWith('{'));
}

function lineOf(event: string, field: string): string {
  return new RegExp(`^${field}: ?(.*)$`, 'm').exec(event)?.[1] ?? '';
}

/** What the client must get for an event: named by its type, with the public model and `store: false`. */
function asSent({ event, data }: SentEvent): SentEvent {
  const { type, response, message } = JSON.parse(data);
  const whole: string = response || message ? toClient(data, (response ?? message).model) : data;
  return { event: event || type, data: whole };
}

/** The text of an answer or event with this model, for the client. */
export function toClient(json: string, model: unknown, publicModel = providerCall().model): string {
  return json
    .replace(new RegExp(`("model":\\s*)${escaped(JSON.stringify(model))}`), `$1${JSON.stringify(publicModel)}`)
    .replace(/("store":\s*)true/, '$1false');
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const LAST_EVENT = /"type": ?"(?:message_stop|response\.completed|response\.incomplete)"/;

/** What the client must get for a stream, up to its last event. */
export function clientEvents(sse: string): SentEvent[] {
  const events = eventsIn(sse);
  const last = events.findIndex(({ data }) => LAST_EVENT.test(data));
  return events.slice(0, last < 0 ? undefined : last + 1).map(asSent);
}

/** Without calls of custom tools, which the readers do not show. */
function shown(answer: Answer): Answer {
  for (const choice of Object.values(answer.choices)) choice.toolCalls = choice.toolCalls.filter(({ name }) => name);
  return answer;
}

/** The bytes of a stream as the upstream of `native` sends it. */
export function upstreamBytes(native: NativeApi, { stream, encoding }: Pick<Exchange, 'stream' | 'encoding'>): Buffer {
  if (native.framing === 'sse') return Buffer.from(stream ?? '', encoding);
  return Buffer.concat(eventsIn(stream ?? '').map(({ data }) => invokedChunk(data)));
}

/** An event of InvokeModelWithResponseStream. */
export function invokedChunk(data: string): Buffer {
  return awsEvent('chunk', { bytes: Buffer.from(data).toString('base64'), p: 'abcdefgh' });
}

export function chunksOf(
  { native, call }: Pick<DeclaredApi, 'native' | 'call'>,
  pieces: readonly Buffer[],
): Promise<ChatCompletionChunk[]> {
  return lastValueFrom(from(pieces).pipe(framed(native.framing), native.fromStream(call), toArray()));
}

/** The client gets each event unchanged, and the ledger reads the content of the upstream's answer. */
export async function expectStreamPassed(declared: DeclaredApi, exchange: Exchange): Promise<void> {
  const bytes = upstreamBytes(declared.native, exchange);
  const chunks = await chunksOf(declared, [bytes]);
  expect(eventsIn(sseOf(chunks))).toEqual(clientEvents(exchange.stream ?? ''));
  expect(shown(answerOfStream(chunks))).toEqual(READERS[declared.api].answer(exchange));
  expect(brokenPromises(chunks, declared.call)).toEqual([]);
  const native = chunks.flatMap(({ nativeEvents }) => nativeEvents ?? []);
  expect(native.map(({ isLast }) => isLast)).toEqual(native.map((_, at) => at === native.length - 1));
  expect(await chunksOf(declared, singleBytes(bytes))).toEqual(chunks);
  const events = await eventsOf(declared.native, [bytes]);
  for (const pieces of cutsOf(bytes)) {
    if (!isDeepStrictEqual(await eventsOf(declared.native, pieces), events)) expect(pieces).toBe('cut elsewhere');
  }
}

/** `text`: the answer's JSON as the upstream wrote it. */
export function expectAnswerPassed({ native, api, call }: DeclaredApi, text: string, exchange: Exchange): void {
  const { nativeText, ...completion } = native.fromResponse(text, call);
  expect(nativeText).toBe(toClient(text, JSON.parse(text).model));
  expect(answerOfCompletion(completion as typeof completion & { object: 'chat.completion' })).toEqual(
    READERS[api].answer(exchange),
  );
}

export function sseOf(chunks: readonly ChatCompletionChunk[]): string {
  return chunks.map(({ nativeEvents }) => nativeEvents?.text ?? '').join('');
}

function eventsOf(native: NativeApi, pieces: readonly Buffer[]): Promise<UpstreamEvent[]> {
  return lastValueFrom(from(pieces).pipe(framed(native.framing), toArray()));
}
