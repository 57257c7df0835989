import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { TokenCounter } from '../src/upstreams/tokens/token-counter.js';
import { awsEvent } from './support/aws-event-stream.js';
import { chunkOf } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { chunk, hang, head, pause, type Script, type Step } from './support/script.js';
import { StreamReader } from './support/stream-reader.js';

const PRICE = 'inputUsdPerMTok: 1, outputUsdPerMTok: 10';

function model(id: string, upstreamModel = 'm', price = PRICE): string {
  return `- { id: ${id}, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 50000, capabilities: [tools],
      price: { ${price} }, targets: [{ upstream: ${id}, model: ${upstreamModel} }] }`;
}

const chat = await ChatTest.start({
  catalog: {
    models: [
      model('sounding', 'm', `${PRICE}, audioInputUsdPerMTok: 40, audioOutputUsdPerMTok: 80`),
      model('claude', 'claude-3-5-haiku-20241022'),
      model('nova', 'amazon.nova-lite-v1:0'),
      model('gemini'),
      model('cohere'),
      model('responses'),
      model('mistral'),
    ].join('\n'),
    upstreams: (baseUrl) => `
sounding: { protocol: openai-compatible, auth: none, baseUrl: "${baseUrl}" }
claude: { protocol: anthropic, auth: none, baseUrl: "${baseUrl}" }
nova: { protocol: bedrock, auth: none, whenCallerLeaves: stop, baseUrl: "${baseUrl}" }
gemini: { protocol: gemini, auth: none, baseUrl: "${baseUrl}" }
cohere: { protocol: cohere, auth: none, baseUrl: "${baseUrl}" }
responses: { protocol: openai-responses, auth: none, baseUrl: "${baseUrl}" }
mistral: { protocol: mistral, auth: none, baseUrl: "${baseUrl}" }`,
  },
});
await chat.gateway.services.get(TokenCounter).count('warm');

const streamHead = head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
const QUESTION = [{ role: 'user', content: 'Say it.' }];
const WORDS = 'one two three four five six seven eight nine ten';

interface Row {
  input: number;
  output: number;
  cost: number;
  charge: object | null;
}

async function rowOf(response?: Response): Promise<Row> {
  const row = await chat.row(response);
  expect(row.status).toBe('aborted');
  const [input, output, cost] = [row.input_tokens, row.output_tokens, row.cost_nanodollars].map(Number);
  return { input, output, cost, charge: row.charge } as Row;
}

function eventOf(data: object): Step {
  const name = 'type' in data ? `event: ${data.type}\n` : '';
  return chunk(`${name}data: ${JSON.stringify(data)}\n\n`);
}

/** Disconnects from a stream after its first data. */
async function leaveStream(request: object, script: Script, seen: string): Promise<Row> {
  chat.upstream.enqueue(script);
  const response = await chat.ask({ messages: QUESTION, stream: true, ...request });
  const reader = new StreamReader(response);
  await reader.until((event) => event.includes(seen));
  await reader.leave();
  return rowOf(response);
}

/** Disconnects from an answer that is not streamed. */
async function leaveWhole(request: object): Promise<Row> {
  chat.upstream.enqueue(hang());
  const client = new AbortController();
  const arrived = chat.upstream.received(chat.upstream.requests.length + 1);
  const requested = chat.ask({ messages: QUESTION, ...request }, { signal: client.signal }).catch(() => undefined);
  await arrived;
  await sleep(300);
  client.abort();
  await requested;
  return rowOf();
}

describe('a caller who leaves an answer with sound', () => {
  it('is charged the price of sound for sound in the prompt and in the answer', async () => {
    const input_audio = { data: 'A'.repeat(160_000), format: 'mp3' };
    const messages = [{ role: 'user', content: [{ type: 'input_audio', input_audio }] }];
    const spoken = { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'pcm16' } };
    const audio = { id: 'a', transcript: WORDS, data: 'A'.repeat(64_000) };
    const script = [streamHead, eventOf(chunkOf({ role: 'assistant', audio })), hang()];
    const row = await leaveStream({ model: 'sounding', messages, ...spoken }, script, 'ten');
    expect(row).toMatchObject({ charge: { basis: 'visible', audioInput: 960, audioOutput: 32 } });
    expect(row.cost).toBe((row.input - 960) * 1000 + 960 * 40_000 + (row.output - 32) * 10_000 + 32 * 80_000);
  });

  it('is charged the price of sound for the time of an answer that is not streamed', async () => {
    const row = await leaveWhole({
      model: 'sounding',
      modalities: ['text', 'audio'],
      audio: { voice: 'alloy', format: 'mp3' },
    });
    expect(row).toMatchObject({ charge: { basis: 'time', audioOutput: row.output } });
    expect(row.cost).toBe(row.input * 1000 + row.output * 80_000);
  });
});

const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } };
const schema = { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object', properties: {} } } };
const MANY = 30;
const LONG = `${WORDS} `.repeat(10);
const LEAST = MANY * 90;

const times = <One>(one: (at: number) => One): One[] => Array.from({ length: MANY }, (_, at) => one(at));
const claude = (...blocks: object[]) => [
  {
    type: 'message_start',
    message: { id: 'a', role: 'assistant', content: [], usage: { input_tokens: 5, output_tokens: 1 } },
  },
  ...blocks.map((block) => ({ index: 0, ...block })),
];
const cohere = (index: number) => {
  const called = { id: `c${index}`, type: 'function', function: { name: 'f', arguments: '' } };
  const written = { function: { arguments: JSON.stringify({ a: LONG }) } };
  return [
    { type: 'tool-call-start', index, delta: { message: { tool_calls: called } } },
    { type: 'tool-call-delta', index, delta: { message: { tool_calls: written } } },
    { type: 'tool-call-end', index },
  ];
};
const gemini = (functionCall: object) => ({ candidates: [{ content: { role: 'model', parts: [{ functionCall }] } }] });
const more = { partialArgs: [{ jsonPath: '$.a', stringValue: LONG, willContinue: true }], willContinue: true };
const converse = (type: string, payload: object) => chunk(awsEvent(type, { contentBlockIndex: 0, ...payload }));

describe('a caller who leaves a stream is charged for output that it did not get', () => {
  it.each<[what: string, model: string, request: object, events: Script]>([
    [
      'text that waits for the call of a tool',
      'claude',
      { tools: [tool], response_format: schema },
      claude(
        { type: 'content_block_start', content_block: { type: 'text', text: '' } },
        ...times(() => ({ type: 'content_block_delta', delta: { type: 'text_delta', text: LONG } })),
      ).map(eventOf),
    ],
    [
      'deltas of an unknown type',
      'claude',
      {},
      claude(
        { type: 'content_block_start', content_block: { type: 'new_block' } },
        ...times(() => ({ type: 'content_block_delta', delta: { type: 'new_delta', words: [LONG] } })),
      ).map(eventOf),
    ],
    [
      'deltas of an unknown type',
      'responses',
      {},
      [
        { type: 'response.output_item.added', output_index: 0, item: { type: 'new_item', id: 'i' } },
        ...times(() => ({ type: 'response.new_item.delta', delta: { words: LONG } })),
      ].map(eventOf),
    ],
    [
      'calls after the only one',
      'cohere',
      { tools: [tool], parallel_tool_calls: false },
      times(cohere).flat().map(eventOf),
    ],
    [
      'calls after the only one',
      'gemini',
      { tools: [tool], parallel_tool_calls: false },
      times(() => eventOf(gemini({ name: 'f', args: { a: LONG } }))),
    ],
    [
      'arguments of a call that is not complete',
      'gemini',
      { tools: [tool] },
      [eventOf(gemini({ name: 'f', willContinue: true })), ...times(() => eventOf(gemini(more)))],
    ],
    [
      'calls after the only one',
      'mistral',
      { functions: [tool.function] },
      times((index) => {
        const called = { index, id: `c${index}`, function: { name: 'f', arguments: JSON.stringify({ a: LONG }) } };
        return eventOf(chunkOf({ tool_calls: [called] }));
      }),
    ],
    [
      'text that waits for the call of a tool',
      'nova',
      { tools: [tool], response_format: schema },
      [
        converse('contentBlockDelta', { delta: { reasoningContent: { text: 'Hm.' } } }),
        ...times(() => converse('contentBlockDelta', { delta: { text: LONG } })),
      ],
    ],
    [
      'calls after the only one',
      'nova',
      { tools: [tool], parallel_tool_calls: false },
      times((at) => [
        converse('contentBlockStart', { start: { toolUse: { toolUseId: `t${at}`, name: 'f' } } }),
        converse('contentBlockDelta', { delta: { toolUse: { input: JSON.stringify({ a: LONG }) } } }),
        converse('contentBlockStop', {}),
      ]).flat(),
    ],
  ])('%s (%s)', async (_, model, request, events) => {
    const type = model === 'nova' ? 'application/vnd.amazon.eventstream' : 'text/event-stream';
    const beginning = head(200, { 'content-type': type, 'transfer-encoding': 'chunked' });
    chat.upstream.enqueue([beginning, events, hang()]);
    const client = new AbortController();
    const responding = chat.ask({ model, messages: QUESTION, stream: true, ...request }, { signal: client.signal });
    const response = await responding;
    await response.body?.getReader().read();
    await sleep(100);
    client.abort();
    const row = await rowOf(response);
    expect(row.charge).toMatchObject({ basis: 'visible' });
    expect(row.output).toBeGreaterThan(LEAST);
    expect(row.output).toBeLessThan(LEAST * 1.5);
  });
});

it('answers that came whole at the end of their generation make leaving others no dearer', async () => {
  const content = { role: 'model', parts: [{ functionCall: { name: 'f', args: { text: WORDS } } }] };
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 400, totalTokenCount: 410 };
  const answer = eventOf({ candidates: [{ content, finishReason: 'STOP' }], usageMetadata });
  for (let count = 0; count < 3; count++) {
    const { headers } = await chat.gateway.createUser({ plan: 'pro' });
    chat.upstream.enqueue([pause(1000), streamHead, answer, chunk('')]);
    const request = { model: 'gemini', messages: QUESTION, tools: [tool], stream: true };
    expect(await (await chat.ask(request, { headers })).text()).toContain('[DONE]');
  }
  const row = await leaveWhole({ model: 'gemini' });
  expect(row.charge).toMatchObject({ basis: 'time' });
  expect(row.output).toBeLessThan(400);
});
