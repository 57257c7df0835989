import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { TokenCounter } from '../src/upstreams/tokens/token-counter.js';
import { chunkOf, completion, stream } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { gate, hang, json, pause, reset, type Script, sse } from './support/script.js';

const QUESTION = [{ role: 'user', content: 'One two three four five six seven eight.' }];

function model(id: string, upstream: string, capabilities: string): string {
  return `- { id: ${id}, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 5000,
      price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10 }, targets: [{ upstream: ${upstream}, model: m }],
      capabilities: ${capabilities} }`;
}

const chat = await ChatTest.start({
  env: { STOPPING_API_KEY: 'k', FINISHING_API_KEY: 'k' },
  catalog: {
    models: [
      model('thinker', 'stopping', '[reasoning]'),
      model('boastful', 'stopping', '[]'),
      model('whole', 'finishing', '[]'),
      model('gemini', 'gemini', '[]'),
      model('dense', 'stopping', '[]').replace('contextLength', 'tokenFactor: 2, contextLength'),
    ].join('\n'),
    upstreams: (baseUrl) => `
stopping: { protocol: openai-compatible, baseUrl: "${baseUrl}" }
gemini: { protocol: gemini, auth: none, baseUrl: "${baseUrl}" }
finishing: { protocol: openai-compatible, baseUrl: "${baseUrl}", whenCallerLeaves: finish }`,
  },
});
await chat.gateway.services.get(TokenCounter).count('warm');

async function rowOf(response?: Response) {
  const { status, input_tokens, output_tokens, token_source, charge } = await chat.row(response);
  return { status, input: Number(input_tokens), output: Number(output_tokens), source: token_source, charge };
}

async function askWhole(fields: object, script: Script) {
  chat.upstream.enqueue(script);
  const response = await chat.ask({ model: 'thinker', messages: QUESTION, ...fields });
  await response.text();
  return rowOf(response);
}

/** Leaves once the upstream has got the request, and does something after so many ms. */
async function leave(model: string, script: Script, ms: number, then = () => {}) {
  chat.upstream.enqueue(script);
  const client = new AbortController();
  const arrived = chat.upstream.received(chat.upstream.requests.length + 1);
  const requested = chat.ask({ model, messages: QUESTION }, { signal: client.signal }).catch(() => undefined);
  await arrived;
  if (model === 'whole') client.abort();
  await sleep(ms);
  then();
  client.abort();
  await requested;
  return rowOf();
}

const BREAKS: [string, boolean, string][] = [
  ['in the middle costs nothing', false, '0'],
  ['after its finish reason costs what it reported', true, '570000'],
];

it.each(BREAKS)('a stream of Gemini that breaks %s', async (_, isFinished, cost) => {
  const candidate = {
    content: { role: 'model', parts: [{ text: 'One' }] },
    ...(isFinished && { finishReason: 'STOP' }),
  };
  const usageMetadata = { promptTokenCount: 500, candidatesTokenCount: 7, totalTokenCount: 507 };
  await askWhole(
    { model: 'gemini', stream: true },
    sse([{ candidates: [candidate], usageMetadata }, pause(20), reset()]),
  );
  expect(await chat.row()).toMatchObject({ status: 'failed', cost_nanodollars: cost });
});

it.each(BREAKS)('a stream that breaks %s', async (_, isFinished, cost) => {
  const usage = { prompt_tokens: 500, completion_tokens: 7, total_tokens: 507 };
  const events = [
    { ...chunkOf({ role: 'assistant', content: 'One' }), usage },
    ...(isFinished ? [chunkOf({}, 'stop')] : []),
  ];
  await askWhole({ stream: true }, sse([...events, pause(20), reset()]));
  expect(await chat.row()).toMatchObject({ status: 'failed', cost_nanodollars: cost });
});

describe('a complete answer without usage, of a reasoning model', () => {
  it('is charged for likely hidden reasoning', async () => {
    for (const row of [
      await askWhole({}, [pause(300), completion('One two three.', null)]),
      await askWhole({ stream: true }, [pause(300), stream(['One two three.'], { usage: null })]),
    ]) {
      expect(row).toMatchObject({ status: 'settled', source: 'estimated', charge: { basis: 'time' } });
      expect(row.output).toBeGreaterThanOrEqual(30);
    }
  });

  it.each([
    [1, 100],
    [3000, 3000],
  ])('is charged the whole text if the only usage came before it: %i tokens', async (completion_tokens, least) => {
    const usage = { prompt_tokens: 500, completion_tokens, total_tokens: 500 + completion_tokens };
    const words = Array.from({ length: 100 }, () => chunkOf({ content: ' word' }));
    const events = [{ ...chunkOf({ role: 'assistant', content: 'One' }), usage }, ...words, chunkOf({}, 'stop')];
    const row = await askWhole({ model: 'boastful', stream: true }, sse(events));
    expect(row).toMatchObject({ status: 'settled', source: 'estimated', input: 500 });
    expect(row.output).toBeGreaterThanOrEqual(least);
    expect(row.output).toBeLessThan(least + 50);
  });

  it('is charged the usage that came before its finish reason', async () => {
    const usage = { prompt_tokens: 500, completion_tokens: 7, total_tokens: 507 };
    const events = [{ ...chunkOf({ role: 'assistant', content: 'One' }), usage }, chunkOf({}, 'stop')];
    const row = await askWhole({ stream: true }, sse(events));
    expect(row).toMatchObject({ status: 'settled', source: 'reported', input: 500, output: 7 });
  });

  it('is not charged for fields that the upstream does not receive', async () => {
    const [short, long] = [
      await askWhole({}, completion('One.', null)),
      await askWhole({ notes: 'word '.repeat(2000) }, completion('One.', null)),
    ];
    expect(long.input).toBe(short.input);
  });

  it('is charged at most for the longest possible answer', async () => {
    expect((await askWhole({ max_tokens: 9 }, [pause(300), completion('One.', null)])).output).toBe(9);
  });

  it('is charged for the visible text if it showed its reasoning', async () => {
    const message = { role: 'assistant', content: 'One.', reasoning_content: 'Two three four.' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const row = await askWhole({}, [pause(300), json(200, { object: 'chat.completion', choices })]);
    expect(row).toMatchObject({ status: 'settled', charge: { basis: 'visible' } });
    expect(row.output).toBeLessThan(12);
  });
});

it('an answer without usage is charged by the factor of its model’s tokenizer, as the prompt is estimated', async () => {
  const estimates = [];
  for (const model of ['boastful', 'dense']) {
    const { output } = await askWhole({ model }, completion('One two three.', null));
    const [{ input_tokens: input, estimated_input_tokens: rough } = {}] = (await chat.gateway.calls()).slice(-1);
    estimates.push({ output, input: Number(input), rough: Number(rough) });
  }
  const [plain = { output: 0, input: 0, rough: 0 }, dense] = estimates;
  expect(dense?.output).toBe(2 * plain.output);
  expect(dense?.input).toBeGreaterThan(1.4 * plain.input);
  expect(dense?.rough).toBeGreaterThan(1.4 * plain.rough);
});

it('an answer that completed after its caller disconnected is charged for its visible text', async () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const row = await leave('whole', [gate(opened), completion('One two three.', null)], 300, () => open());
  expect(row).toMatchObject({ status: 'aborted', source: 'estimated', charge: { basis: 'visible' } });
  expect(row.output).toBeLessThan(10);
});

it('an implausibly large report does not make a model count as fast', async () => {
  const tokens = { prompt_tokens: 10, completion_tokens: 900_000_000, total_tokens: 900_000_010 };
  await askWhole({ model: 'boastful' }, completion('Hello.', tokens));
  const row = await leave('boastful', hang(), 200);
  expect(row).toMatchObject({ status: 'aborted', charge: { basis: 'time' } });
  expect(row.output).toBeLessThan(1000);
});
