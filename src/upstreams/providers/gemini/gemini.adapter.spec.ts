import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { answerOfStream, brokenPromises } from '../../../../test/support/client-answer.js';
import { readExchange } from '../../../../test/support/exchanges.js';
import { schemaFaults } from '../../../../test/support/openai-schema.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletion, ChatCompletionChunk } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { framed } from '../../framing/framing.js';
import { geminiAdapter } from './gemini.adapter.js';

const adapter = geminiAdapter;
const call = providerCall({ stream: true });

const content = (...parts: JsonObject[]) => ({ content: { parts, role: 'model' } });
const event = (candidate: JsonObject, more: JsonObject = {}) => ({ candidates: [candidate], ...more });
const end = (finishReason: string | number, ...parts: JsonObject[]) => event({ ...content(...parts), finishReason });
const usage = { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 };

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

describe('a function call', () => {
  it("has the caller's name, even if the API uses another", async () => {
    const tools = [{ type: 'function' as const, function: { name: '2fa' } }];
    const given = providerCall({ stream: true, tools });
    const chunks = await stream([end('STOP', { functionCall: { name: '_2fa' } })], given);
    expect(answerOfStream(chunks).choices[0]?.toolCalls[0]?.name).toBe('2fa');
    const [choice] = whole(end('STOP', { functionCall: { name: '_2fa' } }), given).choices;
    expect(choice?.message.tool_calls?.[0]).toMatchObject({ function: { name: '2fa' } });
  });

  it('ends an answer with tool_calls, in any event', async () => {
    const before = await streamed(event(content({ functionCall: { name: 'f' } })), end('STOP', { text: '' }));
    const together = await streamed(end('STOP', { functionCall: { name: 'f', args: { a: 1 } } }));
    const behind = await streamed(end('STOP', { text: 'Well' }), end('STOP', { functionCall: { name: 'f' } }));
    expect([before, together, behind].map((choices) => choices[0]?.finish)).toEqual(Array(3).fill('tool_calls'));
    expect(before[0]?.toolCalls).toEqual([{ id: 'call_abc_0_0', name: 'f', arguments: '{}' }]);
    expect(behind[0]?.content).toBe('Well');
  });

  it('a function call that was cut by the limit or the filter has that finish reason', async () => {
    const part = { functionCall: { name: 'f' } };
    expect((await streamed(end('MAX_TOKENS', part)))[0]?.finish).toBe('length');
    expect((await streamed(end('SAFETY', part)))[0]?.finish).toBe('content_filter');
  });

  it("is indexed among the client's calls, without calls of built-in tools", async () => {
    const chunks = await stream([
      event(content({ thought: true, text: 'Hm' }, { toolCall: { id: 's', toolType: 'GOOGLE_SEARCH_WEB' } })),
      event(content({ toolResponse: { id: 's', response: {} } }, { functionCall: { id: 'x', name: 'f' } })),
      event(content({ executableCode: { code: '1' } }, { codeExecutionResult: { output: '1' } })),
      end('STOP', { functionCall: { name: 'g', args: {} } }),
    ]);
    const calls = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(calls.map(({ index, id, function: called }) => [index, id, called?.name])).toEqual([
      [0, 'x', 'f'],
      [1, 'call_abc_0_1', 'g'],
    ]);
    expect(answerOfStream(chunks).choices[0]).toMatchObject({ reasoning: 'Hm', content: '' });
  });

  it('is the only one if the caller allows no parallel calls', async () => {
    const parts = ['f', 'g'].map((name) => ({ functionCall: { name, args: { name } } }));
    const given = providerCall({ parallel_tool_calls: false });
    const open = { functionCall: { name: 'h', willContinue: true } };
    const chunks = await stream([event(content(...parts)), end('STOP', open, { functionCall: {} })], given);
    expect(answerOfStream(chunks).choices[0]).toMatchObject({ toolCalls: [{ name: 'f' }], finish: 'tool_calls' });
    const { message } = whole(end('STOP', ...parts), given).choices[0] ?? {};
    expect(message?.tool_calls).toHaveLength(1);
  });

  it('keeps its id and name in a whole answer with arguments in parts', () => {
    const partialArgs = [{ jsonPath: '$.a', stringValue: 'one' }];
    const functionCall = { id: 'x', name: 'f', partialArgs, willContinue: true };
    const [choice] = whole(end('STOP', { functionCall })).choices;
    expect(choice?.message.tool_calls).toEqual([
      { id: 'x', type: 'function', function: { name: 'f', arguments: '{"a":"one"}' } },
    ]);
  });

  it('a function call with streamed arguments starts immediately and has its arguments at the end', async () => {
    const more = (jsonPath: string, stringValue: string, willContinue = true) =>
      event(content({ functionCall: { partialArgs: [{ jsonPath, stringValue }], willContinue } }));
    const chunks = await stream([
      event(content({ functionCall: { id: 'x', name: 'f', willContinue: true } })),
      more('$.a', 'one'),
      more('$.a', ' two', false),
      event(content({ functionCall: { name: 'g', willContinue: true } })),
      more('$.b', 'three'),
      end('STOP'),
    ]);
    const first = chunks[0]?.choices[0]?.delta.tool_calls?.[0];
    expect(first).toMatchObject({ index: 0, id: 'x', function: { name: 'f', arguments: '' } });
    expect(answerOfStream(chunks).choices[0]?.toolCalls.map((reported) => reported.arguments)).toEqual([
      '{"a":"one two"}',
      '{"b":"three"}',
    ]);
  });
});

describe('the end of an answer', () => {
  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['RECITATION', 'content_filter'],
    ['MODEL_ARMOR', 'content_filter'],
    [2, 'length'],
    [3, 'content_filter'],
  ])('the end of an answer for %s is %s', async (reason, finish) => {
    expect((await streamed(end(reason)))[0]).toMatchObject({ content: '', finish });
    expect(whole(end(reason)).choices[0]).toMatchObject({ message: { content: '' }, finish_reason: finish });
  });

  it('is sent once, after all content, even if every event has a finish reason', async () => {
    const choices = await streamed(end('STOP', { text: 'Hel' }), end('STOP', { text: 'lo' }), end('STOP'));
    expect(choices[0]).toMatchObject({ content: 'Hello', finish: 'stop' });
  });

  it('is not invented for a stream without one', async () => {
    expect((await streamed(event(content({ text: 'Hel' }))))[0]?.finish).toBeNull();
    expect(await stream([{ usageMetadata: { trafficType: 'ON_DEMAND' } }])).toEqual([]);
  });

  it.each(['prompt-blocked-stream', 'prompt-blocked'])('is content_filter for a blocked prompt: %s', async (file) => {
    const exchange = readExchange(`${import.meta.dirname}/fixtures`, `${file}.json`);
    const choice = { content: '', toolCalls: [], finish: 'content_filter' };
    if (exchange.stream === null) {
      const [reported] = whole(exchange.body).choices;
      expect([reported?.message.content, reported?.finish_reason]).toEqual(['', 'content_filter']);
      return;
    }
    const chunks = await lastValueFrom(
      from([Buffer.from(exchange.stream)]).pipe(framed('sse'), adapter.fromStream(call), toArray()),
    );
    expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
    expect(brokenPromises(chunks, call)).toEqual([]);
    expect(answerOfStream(chunks)).toMatchObject({ choices: { 0: choice }, usage: { prompt: 12, total: 12 } });
  });

  it.each(['safety.json', 'model-armor.json'])('is content_filter for a blocked answer: %s', (file) => {
    const { body } = readExchange(`${import.meta.dirname}/fixtures`, file);
    expect(whole(body).choices).toMatchObject([{ message: { content: '' }, finish_reason: 'content_filter' }]);
  });
});

describe('a whole answer', () => {
  it('a whole answer without a candidate is an error', () => {
    for (const body of [null, 'text', {}, { candidates: [] }, { candidates: [7] }, [{}, {}]]) {
      expect(() => adapter.fromResponse(body, call)).toThrow(UpstreamError);
    }
    const error = { code: 503, message: 'overloaded', status: 'UNAVAILABLE' };
    expect(() => adapter.fromResponse([{ error }], call)).toThrow(expect.objectContaining({ status: 503 }));
  });

  it('may have several candidates, numbered or not', () => {
    const candidates = [
      { ...content({ text: 'A' }), finishReason: 'STOP' },
      { ...content({ text: 'B' }), finishReason: 'MAX_TOKENS', index: 1 },
    ];
    expect(whole({ candidates }).choices).toMatchObject([
      { index: 0, message: { content: 'A' }, finish_reason: 'stop' },
      { index: 1, message: { content: 'B' }, finish_reason: 'length' },
    ]);
  });

  it('has log probabilities with alternatives', async () => {
    const logprobsResult = {
      chosenCandidates: [{ token: 'Hi', tokenId: 7, logProbability: -0.1 }, { token: '!' }],
      topCandidates: [{ candidates: [{ token: 'Yo', logProbability: -2 }] }],
    };
    const candidate = { ...content({ text: 'Hi!' }), finishReason: 'STOP', logprobsResult };
    const logprobs = {
      content: [
        { token: 'Hi', logprob: -0.1, bytes: null, top_logprobs: [{ token: 'Yo', logprob: -2, bytes: null }] },
        { token: '!', logprob: 0, bytes: null, top_logprobs: [] },
      ],
      refusal: null,
    };
    expect(whole({ candidates: [candidate] }).choices[0]?.logprobs).toEqual(logprobs);
    expect((await stream([{ candidates: [candidate] }]))[0]?.choices[0]?.logprobs).toEqual(logprobs);
  });
});

describe('usage', () => {
  it('is the last one reported, sent once, and absent without counts', async () => {
    const chunks = await stream([
      event(content({ text: 'A' }), { usageMetadata: { trafficType: 'ON_DEMAND' } }),
      event(content({ text: 'B' }), { usageMetadata: { promptTokenCount: 5, totalTokenCount: 5 } }),
      { ...end('STOP'), usageMetadata: usage },
    ]);
    expect(chunks.filter((chunk) => chunk.usage)).toHaveLength(1);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } });
  });

  it('counts thoughts as completion tokens, and the input of built-in tools as prompt tokens', () => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      toolUsePromptTokenCount: 30,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 7,
      totalTokenCount: 157,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 90 },
        { modality: 'AUDIO', tokenCount: 10 },
      ],
    };
    expect(whole({ ...end('STOP'), usageMetadata }).usage).toEqual({
      prompt_tokens: 130,
      completion_tokens: 27,
      total_tokens: 157,
      prompt_tokens_details: { cached_tokens: 60, audio_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 7 },
    });
  });
});

describe('citations', () => {
  const groundingMetadata = {
    groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }, { web: { uri: 'https://b.example' } }],
    groundingSupports: [
      { segment: { endIndex: 8, text: 'Zürich ' }, groundingChunkIndices: [0] },
      { segment: { startIndex: 8, endIndex: 15 }, groundingChunkIndices: [0, 1, 7] },
    ],
  };
  const cited = [
    { start_index: 0, end_index: 7, url: 'https://a.example', title: 'A' },
    { start_index: 7, end_index: 12, url: 'https://a.example', title: 'A' },
    { start_index: 7, end_index: 12, url: 'https://b.example', title: 'https://b.example' },
  ].map((url_citation) => ({ type: 'url_citation', url_citation }));

  it('count characters of the whole text, while the API counts bytes', async () => {
    const first = event(content({ text: 'Zürich ' }));
    const last = event({ ...content({ text: 'grüßt' }), finishReason: 'STOP', groundingMetadata });
    const chunks = await stream([first, last]);
    expect(chunks.flatMap(({ choices }) => choices[0]?.delta.annotations ?? [])).toEqual(cited);
    const candidate = { ...content({ text: 'Zürich grüßt' }), finishReason: 'STOP', groundingMetadata };
    expect(whole({ candidates: [candidate] }).choices[0]?.message.annotations).toEqual(cited);
  });
});

describe('an error inside a stream', () => {
  it('is thrown, alone or in a list, after the chunks before it', async () => {
    const error = { code: 429, message: 'Slow down. Please retry in 3s.', status: 'RESOURCE_EXHAUSTED' };
    await expect(stream([event(content({ text: 'A' })), { error }])).rejects.toMatchObject({
      status: 429,
      headers: { 'retry-after': '3' },
    });
  });

  it('is thrown for an event that is not JSON', async () => {
    const broken = from([{ event: '', data: '{"candidates": [' }]).pipe(adapter.fromStream(call), toArray());
    await expect(lastValueFrom(broken)).rejects.toMatchObject({ status: 502 });
  });
});

describe('an answer that ended as a failure', () => {
  it('reports its usage with the failure, for answers and streams', async () => {
    const body = { ...end('MALFORMED_FUNCTION_CALL'), usageMetadata: usage };
    const failure = expect.objectContaining({ status: 502, usage: expect.objectContaining({ total_tokens: 7 }) });
    expect(() => whole(body)).toThrow(expect.objectContaining({ failure }));
    await expect(stream([body])).rejects.toMatchObject({ failure });
  });
});
