import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { answerOfStream, brokenPromises } from '../../../../test/support/client-answer.js';
import { coreMsOf } from '../../../../test/support/core-time.js';
import { schemaFaults } from '../../../../test/support/openai-schema.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletion, ChatCompletionChunk } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { geminiAdapter } from './gemini.adapter.js';

const adapter = geminiAdapter;
const call = providerCall({ stream: true });

const content = (...parts: JsonObject[]) => ({ content: { parts, role: 'model' } });
const event = (candidate: JsonObject, more: JsonObject = {}) => ({ candidates: [candidate], ...more });
const end = (finishReason: string | number, ...parts: JsonObject[]) => event({ ...content(...parts), finishReason });

async function stream(events: JsonObject[], given = call): Promise<ChatCompletionChunk[]> {
  const framed = events.map((value) => ({ event: '', data: JSON.stringify(value) }));
  const chunks = await lastValueFrom(from(framed).pipe(adapter.fromStream(given), toArray()));
  expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
  expect(brokenPromises(chunks, given)).toEqual([]);
  return chunks;
}

async function streamed(...events: JsonObject[]) {
  return answerOfStream(await stream(events)).choices;
}

function whole(body: unknown, given: ProviderCall = call): ChatCompletion {
  const completion = adapter.fromResponse(body, given);
  expect(schemaFaults('completion', completion)).toEqual([]);
  return completion;
}

describe('a picture in an answer', () => {
  const png = { inlineData: { mimeType: 'image/png', data: 'iVBO' } };
  const image = (index: number, more: JsonObject = {}) => ({
    ...more,
    type: 'image_url',
    index,
    image_url: { url: 'data:image/png;base64,iVBO' },
  });
  const signed = { extra_content: { google: { thought_signature: 's' } } };

  it('is sent once, whole or streamed, with its signature', async () => {
    const parts = [{ text: 'Two:' }, { ...png, thoughtSignature: 's' }, png];
    const chunks = await stream([event(content(...parts.slice(0, 2))), end('STOP', ...parts.slice(2))]);
    expect(chunks.flatMap(({ choices }) => choices[0]?.delta.images ?? [])).toEqual([image(0, signed), image(1)]);
    const { message, finish_reason } = whole(end('STOP', ...parts)).choices[0] ?? {};
    expect(message).toMatchObject({ content: 'Two:', images: [image(0, signed), image(1)] });
    expect(finish_reason).toBe('stop');
  });

  it('is enough for an answer', async () => {
    expect(whole(end('OTHER', png)).choices[0]).toMatchObject({ finish_reason: 'stop', message: { images: [{}] } });
    expect((await streamed(end('OTHER', png)))[0]?.finish).toBe('stop');
  });

  it('is left out if it is a draft among the thoughts, or not a picture', () => {
    const sound = { inlineData: { mimeType: 'audio/wav', data: 'UklG' } };
    const { message } = whole(end('STOP', { ...png, thought: true }, sound, { text: 'Hi' })).choices[0] ?? {};
    expect(message).not.toHaveProperty('images');
  });
});

describe('a finish reason', () => {
  it.each([
    ...['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'OTHER', 'LANGUAGE', 'SOMETHING_NEW'],
    ...[9, 99],
  ])('%s is a failure without content, and stop with content', async (reason) => {
    const failed = { status: 502, advice: 'retry' };
    for (const parts of [[], [{ text: '' }], [{ thought: true, text: 'Hm' }]]) {
      await expect(streamed(event(content({ text: '' })), end(reason, ...parts))).rejects.toMatchObject(failed);
      expect(() => whole(end(reason, ...parts))).toThrow(expect.objectContaining(failed));
    }
    expect((await streamed(end(reason, { text: 'Hi' })))[0]).toMatchObject({ content: 'Hi', finish: 'stop' });
    expect(whole(end(reason, { text: 'Hi' })).choices[0]?.finish_reason).toBe('stop');
  });

  it('a finish reason that is a failure is stop if another choice has content', () => {
    const candidates = [{ finishReason: 'OTHER' }, { ...content({ text: 'B' }), finishReason: 'STOP', index: 1 }];
    expect(whole({ candidates }).choices).toMatchObject([{ finish_reason: 'stop' }, { message: { content: 'B' } }]);
  });

  it('a finish reason that is a failure comes before any chunk', async () => {
    const chunks: ChatCompletionChunk[] = [];
    const events = [event(content({ text: '' })), end('MALFORMED_FUNCTION_CALL')].map((value) => ({
      event: '',
      data: JSON.stringify(value),
    }));
    const reading = from(events)
      .pipe(adapter.fromStream(call))
      .forEach((chunk) => void chunks.push(chunk));
    await expect(reading).rejects.toThrow(UpstreamError);
    expect(chunks).toEqual([]);
  });
});

describe('the service tier that served', () => {
  it.each([
    ['standard', { serviceTier: 'standard' }],
    ['priority', { serviceTier: 'PRIORITY' }],
    ['standard', { trafficType: 'ON_DEMAND' }],
    ['flex', { trafficType: 'ON_DEMAND_FLEX' }],
    [null, { serviceTier: 'unspecified', trafficType: 'PROVISIONED_THROUGHPUT' }],
    [null, {}],
  ])('is noted as %s for %j, for answers and streams', async (tier, reported) => {
    const body = {
      candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, totalTokenCount: 2, ...reported },
    };
    const watched = () => ({
      ...providerCall(),
      watch: { usageSoFar: null, unread: null, servedModel: null, servedTier: null, hostedCalls: null, answerId: null },
    });
    const [ofWhole, ofStream] = [watched(), watched()];
    geminiAdapter.fromResponse(body, ofWhole);
    const events = from([{ event: '', data: JSON.stringify(body) }]);
    await lastValueFrom(events.pipe(geminiAdapter.fromStream(ofStream)));
    expect([ofWhole.watch.servedTier, ofStream.watch.servedTier]).toEqual([tier, tier]);
  });
});

it('20,000 calls in one answer are read at once', async () => {
  const parts = Array.from({ length: 20_000 }, (_, i) => ({ functionCall: { name: 'f', args: { i } } }));
  let answer: ChatCompletion | undefined;
  const ms = await coreMsOf(() => {
    answer = whole(end('STOP', ...parts));
  });
  expect(answer?.choices[0]?.message.tool_calls).toHaveLength(20_000);
  expect(ms).toBeLessThan(1000);
});
