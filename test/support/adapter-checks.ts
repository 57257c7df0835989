import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import type { ChatCompletionChunk } from '../../src/upstreams/contract/chat.types.js';
import type { UpstreamEvent } from '../../src/upstreams/contract/provider.adapter.js';
import { UpstreamError } from '../../src/upstreams/contract/upstream.error.js';
import { framed } from '../../src/upstreams/framing/framing.js';
import type { ListedAdapter } from '../../src/upstreams/providers/providers.js';
import { answerOfCompletion, answerOfStream, brokenPromises } from './client-answer.js';
import { cutsOf, type Exchange, singleBytes } from './exchanges.js';
import { schemaFaults } from './openai-schema.js';
import { providerCall } from './provider-call.js';
import type { UpstreamReader } from './upstream-reader.js';

export const CALL = providerCall({ stream: true });

/** The answer is valid by the schema, keeps the guarantees, and has the content of the upstream's answer. */
export async function expectFaithful(
  adapter: ListedAdapter,
  reader: UpstreamReader,
  exchange: Exchange,
): Promise<void> {
  const expected = reader.answer(exchange);
  if (exchange.stream === null) {
    const completion = adapter.fromResponse(structuredClone(exchange.body), CALL);
    expect(schemaFaults('completion', completion)).toEqual([]);
    expect(answerOfCompletion(completion)).toEqual(expected);
    return;
  }
  const bytes = bytesOf(exchange);
  const chunks = await replay(adapter, [bytes]);
  expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
  expect(brokenPromises(chunks, CALL)).toEqual([]);
  expect(answerOfStream(chunks)).toEqual(expected);
  expect(await replay(adapter, singleBytes(bytes))).toEqual(chunks);
  // Adapters only see events: cuts with the same events give the same chunks.
  const events = await eventsOf(adapter, [bytes]);
  for (const pieces of cutsOf(bytes)) {
    if (!isDeepStrictEqual(await eventsOf(adapter, pieces), events)) expect(pieces.map(String)).toBe('cut elsewhere');
  }
}

/** The caller's status for an upstream's, from the documented table. */
const CALLERS_STATUS: Readonly<Record<number, number>> = {
  400: 400,
  401: 502,
  402: 502,
  403: 502,
  404: 502,
  422: 400,
  429: 429,
  500: 502,
  502: 502,
  503: 503,
  529: 503,
};

/** Refused with a 400, though the fault is the model's name in the gateway's configuration. */
const MODEL_REFUSED = /provided model identifier is invalid/;

export function expectRefusal(adapter: ListedAdapter, { status, headers, body }: Exchange, scenario: string): void {
  const error = adapter.toError(status, headers, body, CALL);
  expect(error).toBeInstanceOf(UpstreamError);
  const isOfGateway = scenario === 'error-401' || MODEL_REFUSED.test(JSON.stringify(body));
  expect(error.status).toBe(isOfGateway ? 502 : CALLERS_STATUS[status]);
  expect(schemaFaults('error', { error: error.body })).toEqual([]);
  expect(error.body.message).not.toMatch(/<|\*\*|\bsk-|org[-_]/);
  if (error.status === 429) expect(Number(error.headers['retry-after'])).toBeGreaterThan(1);
  if (error.status === 502 && error.failure.status < 500) expect(error.headers['x-should-retry']).toBe('false');
}

/** The chunks before the error are valid, and the upstream's error is thrown. */
export async function expectFailure(adapter: ListedAdapter, reader: UpstreamReader, exchange: Exchange): Promise<void> {
  const chunks: ChatCompletionChunk[] = [];
  const failure = new Promise((resolve, reject) => {
    from([bytesOf(exchange)])
      .pipe(framed(adapter.framing), adapter.fromStream(CALL))
      .subscribe({
        next: (chunk) => chunks.push(chunk),
        error: resolve,
        complete: () => reject(new Error('no error')),
      });
  });
  expect(await failure).toBeInstanceOf(UpstreamError);
  expect(chunks.length).toBeGreaterThan(0);
  expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
  expect(brokenPromises(chunks, CALL)).toEqual([]);
  const reported = answerOfStream(chunks).choices[0];
  const sent = reader.answer(exchange).choices[0];
  expect(reported).toEqual({ ...sent, finish: null });
}

export function replay(adapter: ListedAdapter, pieces: readonly Buffer[]): Promise<ChatCompletionChunk[]> {
  return lastValueFrom(from(pieces).pipe(framed(adapter.framing), adapter.fromStream(CALL), toArray()));
}

function eventsOf(adapter: ListedAdapter, pieces: readonly Buffer[]): Promise<UpstreamEvent[]> {
  return lastValueFrom(from(pieces).pipe(framed(adapter.framing), toArray()));
}

export function bytesOf({ stream, encoding }: Exchange): Buffer {
  return Buffer.from(stream ?? '', encoding);
}
