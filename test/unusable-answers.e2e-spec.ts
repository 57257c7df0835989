import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { awsEvent, awsException } from './support/aws-event-stream.js';
import { chunkOf, completion, refusal } from './support/chat-answers.js';
import { ChatTest, QUESTION } from './support/chat-test.js';
import { chunk, flood, hang, head, json, lastChunk, pause, type Script, type Step, sse } from './support/script.js';

const HEAD_CLOCK_MS = 700;
const HANGING = 'Never mind.';

function model(id: string, upstreams: string, more = ''): string {
  const targets = upstreams.split(' ').map((name, index) => `{ upstream: ${name}, model: m, priority: ${index + 1} }`);
  return `- { id: ${id}, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 5000,
      price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10 }, targets: [${targets.join(', ')}], ${more} }`;
}

const UNCOUNTED = `- { id: uncounted, tier: free, displayName: M, description: D, kind: embedding, dimensions: 2, maxInputTokens: 8000,
    contextLength: 8000, price: { inputUsdPerMTok: 1, outputUsdPerMTok: 0 }, targets: [{ upstream: gemini, model: m }] }`;
const VECTORS = `- { id: vectors, tier: free, displayName: M, description: D, kind: embedding, dimensions: 2, maxInputTokens: 8000,
    contextLength: 8000, price: { inputUsdPerMTok: 1, outputUsdPerMTok: 0 }, targets: [{ upstream: cohere, model: m }] }`;

const MODELS = [
  model('plain', 'plain'),
  model('busy', 'busy'),
  model('stuck', 'stuck'),
  model('gemini', 'gemini', 'capabilities: [tools]'),
  model('responses', 'responses'),
  model('twice', 'gemini twice', 'capabilities: [tools]'),
  model('hedged', 'gemini twice', 'capabilities: [tools], hedge: { after: 100ms }'),
  model('other', 'other'),
  model('azure', 'azure', 'hostedTools: { web_search: 1 }'),
  model('elsewhere', 'busy other'),
  model('groq', 'groq', 'capabilities: [tools]'),
  model('anthropic', 'anthropic'),
  model('command', 'cohere'),
  model('bedrock', 'bedrock', 'capabilities: [tools]'),
  VECTORS,
  UNCOUNTED,
].join('\n');

const names = 'azure plain busy other stuck gemini twice responses cohere groq bedrock anthropic'.split(' ');
const chat = await ChatTest.start({
  settings: 'retry: { attempts: 3 }\nrouting: { consecutiveFailures: 1000, minimumCalls: 1000 }',
  env: Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_API_KEY`, 'k'])),
  catalog: {
    models: MODELS,
    upstreams: (baseUrl) => `
plain: { protocol: openai-compatible, baseUrl: "${baseUrl}" }
busy: { protocol: openai-compatible, baseUrl: "${baseUrl}", clocks: { head: ${HEAD_CLOCK_MS}ms } }
other: { protocol: openai-compatible, baseUrl: "${baseUrl}", clocks: { head: ${HEAD_CLOCK_MS}ms } }
stuck: { protocol: openai-compatible, baseUrl: "${baseUrl}", clocks: { head: ${HEAD_CLOCK_MS}ms } }
azure: { protocol: azure, baseUrl: "${baseUrl}" }
gemini: { protocol: gemini, baseUrl: "${baseUrl}" }
twice: { protocol: gemini, baseUrl: "${baseUrl}" }
cohere: { protocol: cohere, baseUrl: "${baseUrl}" }
anthropic: { protocol: anthropic, baseUrl: "${baseUrl}" }
groq: { protocol: groq, baseUrl: "${baseUrl}" }
bedrock: { protocol: bedrock, baseUrl: "${baseUrl}" }
responses: { protocol: openai, baseUrl: "${baseUrl}" }`,
  },
});

async function costOf(
  response: Response,
): Promise<{ status: unknown; cost: number; attempts: number; charge: unknown }> {
  const row = await chat.row(response);
  const attempts = (row.attempts as object[]).length;
  return { status: row.status, cost: Number(row.cost_nanodollars), attempts, charge: row.charge };
}

const MALFORMED = {
  candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'MALFORMED_FUNCTION_CALL' }],
  usageMetadata: { promptTokenCount: 500, candidatesTokenCount: 900, totalTokenCount: 1400 },
};
/** Until the call has ended, these models answer other calls. */
async function answersUntil(call: Promise<unknown>, ...models: readonly string[]): Promise<void> {
  let isOver = false;
  void call.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await sleep(HEAD_CLOCK_MS / 7);
    for (const other of models) expect((await chat.ask({ model: other })).status).toBe(200);
  }
}

const WORDS = 'word '.repeat(300);
const FAILED_CALL = {
  error: {
    ...{ message: 'Tool choice is required, but model did not call a tool', type: 'invalid_request_error' },
    ...{ code: 'tool_use_failed', failed_generation: WORDS, status_code: 400 },
  },
};
const FILTERED = { error: { message: 'Output blocked.', type: 'invalid_request_error', code: 'content_filter' } };

/** Bedrock's stream with these events. */
function awsStream(...events: readonly Buffer[]): Script {
  const type = { 'content-type': 'application/vnd.amazon.eventstream', 'transfer-encoding': 'chunked' };
  return [head(200, type), ...events.map((event) => chunk(event)), lastChunk()];
}

const ANSWERED = {
  ...MALFORMED,
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi.' }] }, finishReason: 'STOP' }],
};
const LONG = 'hello '.repeat(10_000);
const MALFORMED_COST = 500 * 1000 + 900 * 10_000;

describe('an answer that the caller made unusable is charged', () => {
  it('an answer that the caller made unusable is charged if it is larger than the gateway passes on, and is asked for once', async () => {
    chat.upstream.enqueue([head(200, { 'content-type': 'application/json' }), flood(65 * 1024 * 1024), hang()]);
    const response = await chat.ask({ model: 'plain' });
    expect(response.status).toBe(502);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toContain('larger than the gateway passes on');
    const { status, cost, attempts, charge } = await costOf(response);
    expect({ status, attempts, charge }).toMatchObject({ status: 'failed', attempts: 1, charge: { basis: 'time' } });
    expect(cost).toBeGreaterThan(10_000);
  });

  it('an answer that the caller made unusable is charged if an event of its stream is, for what came before', async () => {
    const event = {
      type: 'response.output_text.delta',
      item_id: 'i',
      output_index: 0,
      content_index: 0,
      sequence_number: 1,
    };
    const created = { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } };
    chat.upstream.enqueue(
      sse([created, { ...event, delta: 'word '.repeat(300) }, { ...event, delta: 'x'.repeat(17 * 1024 * 1024) }], {
        done: false,
      }),
    );
    const response = await fetch(`${chat.gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${chat.pro.key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'responses', input: 'Hi', stream: true }),
    });
    await response.text();
    const { status, cost, attempts } = await costOf(response);
    expect({ status, attempts }).toEqual({ status: 'failed', attempts: 1 });
    expect(cost).toBeGreaterThan(300 * 10_000);
  });

  it('an answer that the caller made unusable is charged if its connection broke after the caller had stopped reading', async () => {
    const { promise: broken, resolve } = Promise.withResolvers<void>();
    const words = chunk(`data: ${JSON.stringify(chunkOf({ content: 'word '.repeat(20_000) }))}\n\n`);
    const untilUnread: Step = async (wire) => {
      while (await Promise.race([Promise.resolve(words(wire)).then(() => true), sleep(6000, false)]));
      wire.reset();
      resolve();
    };
    chat.upstream.enqueue([
      head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' }),
      untilUnread,
    ]);
    const response = await chat.ask({ model: 'plain', stream: true });
    await broken;
    await response.text();
    const { status, cost, attempts } = await costOf(response);
    expect({ status, attempts }).toEqual({ status: 'failed', attempts: 1 });
    expect(cost).toBeGreaterThan(1000 * 10_000);
  });

  it.each([
    ['plain', sse([chunkOf({ content: WORDS }), FILTERED], { done: false })],
    [
      'groq',
      sse([chunkOf({ content: WORDS }), `event: error\ndata: ${JSON.stringify(FAILED_CALL)}\n\n`], { done: false }),
    ],
    [
      'bedrock',
      awsStream(
        awsEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: WORDS } }),
        awsException('modelStreamErrorException', { message: 'Model produced invalid sequence as part of ToolUse.' }),
      ),
    ],
  ])(
    'an answer that the caller made unusable is charged if its request is what makes it fail after its text (%s)',
    async (name, script) => {
      chat.upstream.enqueue(script);
      const response = await chat.ask({ model: name, stream: true });
      expect(await response.text()).toContain(WORDS);
      const { status, cost, charge } = await costOf(response);
      expect({ status, charge }).toEqual({ status: 'failed', charge: { basis: 'visible' } });
      expect(cost).toBeGreaterThanOrEqual(300 * 10_000);
      expect(cost).toBeLessThan(330 * 10_000);
    },
  );

  it.each([
    ['anthropic', { type: 'message', content: null, usage: { input_tokens: 500, output_tokens: 900 } }],
    ['bedrock', { output: {}, usage: { inputTokens: 500, outputTokens: 900 } }],
    ['command', { message: null, usage: { billed_units: { input_tokens: 500, output_tokens: 900 } } }],
    ['responses', { status: 'completed', usage: { input_tokens: 500, output_tokens: 900, total_tokens: 1400 } }],
  ])(
    'an answer that the caller made unusable is charged if it has usage and nothing else (%s)',
    async (name, answer) => {
      chat.upstream.always(() => json(200, answer));
      const { url } = chat.gateway;
      const response =
        name === 'responses'
          ? await fetch(`${url}/v1/responses`, {
              ...{ method: 'POST', body: JSON.stringify({ model: name, input: 'Hi' }) },
              headers: { ...chat.pro.headers, 'content-type': 'application/json' },
            })
          : await chat.ask({ model: name });
      expect(response.status).toBe(502);
      expect(await costOf(response)).toMatchObject({ status: 'failed', cost: MALFORMED_COST, attempts: 1 });
    },
  );

  it('an answer that the caller made unusable is charged if it was written and then refused', async () => {
    chat.upstream.enqueue(json(400, FAILED_CALL));
    const response = await chat.ask({ model: 'groq' });
    expect(response.status).toBe(400);
    const { status, cost, attempts } = await costOf(response);
    expect({ status, attempts }).toEqual({ status: 'failed', attempts: 1 });
    expect(cost).toBeGreaterThanOrEqual(300 * 10_000);
  });

  it.each([false, true])(
    'an answer that the caller made unusable is charged if it ends as a failure with usage, and is asked for once (stream: %s)',
    async (streamed) => {
      const answer = () => (streamed ? sse([MALFORMED], { done: false }) : json(200, MALFORMED));
      chat.upstream.always(answer);
      const response = await chat.ask({ model: 'gemini', stream: streamed });
      await response.text();
      const { status, cost, attempts, charge } = await costOf(response);
      expect({ status, cost, charge, attempts }).toEqual({
        status: 'failed',
        cost: MALFORMED_COST,
        charge: null,
        attempts: 1,
      });
    },
  );

  it.each([
    ['/v1/chat/completions', false],
    ['/v1/chat/completions', true],
    ['/v1/completions', false],
    ['/v1/completions', true],
  ])(
    'an answer that the caller made unusable is charged if it ends with a reason that is an error: %s (stream: %s)',
    async (path, stream) => {
      const usage = { prompt_tokens: 500, completion_tokens: 900, total_tokens: 1400 };
      const end = { index: 0, finish_reason: 'malformed_function_call' };
      const chunks = [
        { id: 'a', choices: [{ ...end, text: 'Hm', delta: { content: 'Hm' } }] },
        { id: 'a', choices: [], usage },
      ];
      const whole = { id: 'a', choices: [{ ...end, text: '', message: { role: 'assistant', content: '' } }], usage };
      chat.upstream.enqueue(stream ? sse(chunks) : json(200, whole));
      const response = await fetch(`${chat.gateway.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${chat.pro.key.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...QUESTION, prompt: 'Hi', model: 'plain', stream }),
      });
      expect(await response.text()).toContain('The upstream failed to answer the request.');
      expect(await costOf(response)).toEqual({ status: 'failed', cost: MALFORMED_COST, charge: null, attempts: 1 });
    },
  );

  it('together with that of another target, which answers or fails as well', async () => {
    for (const second of [MALFORMED, ANSWERED]) {
      chat.upstream.enqueue(json(200, MALFORMED)).enqueue(json(200, second));
      const response = await chat.ask({ model: 'twice' });
      const { usage } = (await response.json()) as { usage?: { total_tokens: number } };
      expect(usage?.total_tokens).toBe(second === ANSWERED ? 1400 : undefined);
      const row = await chat.row(response);
      expect(row).toMatchObject({
        status: second === ANSWERED ? 'settled' : 'failed',
        cost_nanodollars: String(2 * MALFORMED_COST),
        input_tokens: '1000',
        output_tokens: '1800',
        token_source: 'reported',
        charge: { otherAttempts: MALFORMED_COST },
      });
    }
  });

  it('an answer that the caller made unusable is charged once, without another target, if a budget has reserved the cost of one attempt', async () => {
    const user = await chat.gateway.createUser({ limits: { budgetTotalNanodollars: 1_000_000_000n } });
    chat.upstream.always(() => json(200, MALFORMED));
    const response = await chat.gateway.complete(user, { ...QUESTION, model: 'twice' });
    expect(response.status).toBe(502);
    expect(await costOf(response)).toMatchObject({ attempts: 1, cost: MALFORMED_COST });
  });

  it.each([
    ['/v1/chat/completions', { messages: [{ role: 'user', content: LONG }] }],
    ['/v1/messages', { max_tokens: 9, messages: [{ role: 'user', content: LONG }] }],
    ['/v1/responses', { input: LONG, tools: [{ type: 'web_search' }] }],
  ])('its prompt only, if the content filter of a provider that bills it refuses it at %s', async (path, fields) => {
    for (const stream of [false, true]) {
      const error = { message: 'Filtered.', type: null, param: 'prompt', code: 'content_filter', status: 400 };
      chat.upstream.enqueue(json(400, { error }));
      const response = await fetch(chat.gateway.url + path, {
        method: 'POST',
        headers: { ...chat.pro.headers, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
        body: JSON.stringify({ model: 'azure', stream, ...fields }),
      });
      expect(response.status).toBe(400);
      const { status, cost, attempts } = await costOf(response);
      expect([status, attempts]).toEqual(['failed', 1]);
      expect(cost / 1000).toBeGreaterThan(10_000);
      expect(cost / 1000).toBeLessThan(11_000);
    }
  });

  it('unless it was a hedge that lost, whose cost is noted', async () => {
    const answers = [[pause(1200), json(200, MALFORMED)] as const, [pause(1500), json(200, ANSWERED)] as const];
    for (const answer of answers) chat.upstream.enqueue(answer);
    const response = await chat.ask({ model: 'hedged' });
    expect(response.status).toBe(200);
    const row = await chat.row(response);
    expect(Number(row.cost_nanodollars)).toBe(MALFORMED_COST);
    expect(row.attempts).toMatchObject([{ estimatedCostNanodollars: MALFORMED_COST }, { outcome: 'ok' }]);
  });

  it('an answer that the caller made unusable is charged if its head is late while the target answers others', async () => {
    chat.upstream.always((request) => (JSON.stringify(request.json()).includes(HANGING) ? hang() : completion()));
    const late = chat.ask({ model: 'busy', messages: [{ role: 'user', content: HANGING }] });
    await answersUntil(late, 'busy');
    const response = await late;
    expect(response.status).toBe(504);
    const { cost, charge, attempts } = await costOf(response);
    expect({ charge, attempts }).toMatchObject({ charge: { basis: 'time' }, attempts: 1 });
    expect(cost).toBeGreaterThan(10_000);
  });

  it('an answer that the caller made unusable is charged if its head is late at each of several targets that answer others', async () => {
    chat.upstream.always((request) => (JSON.stringify(request.json()).includes(HANGING) ? hang() : completion()));
    const late = chat.ask({ model: 'elsewhere', messages: [{ role: 'user', content: HANGING }] });
    await answersUntil(late, 'busy', 'other');
    const { cost, charge, attempts } = await costOf(await late);
    expect({ charge, attempts }).toMatchObject({ charge: { basis: 'time' }, attempts: 2 });
    const { otherAttempts } = charge as { otherAttempts: number };
    // Each cost about as much as the other.
    expect(otherAttempts).toBeGreaterThan(cost / 3);
    expect(otherAttempts).toBeLessThan((cost * 2) / 3);
  });

  it('an answer that the caller made unusable is charged but not if the target hangs for everybody', async () => {
    chat.upstream.always(() => hang());
    const response = await chat.ask({ model: 'stuck' });
    expect(response.status).toBe(504);
    expect(await costOf(response)).toMatchObject({ status: 'failed', cost: 0 });
  });

  it.each(['before', 'after'])(
    'an answer that the caller made unusable is charged for the parts of a divided request answered %s another part fails',
    async (answers) => {
      const vectors = Array.from({ length: 96 }, () => [1, 0]);
      const part: Script = json(200, { embeddings: { float: vectors }, meta: { billed_units: { input_tokens: 960 } } });
      chat.upstream.enqueue(answers === 'before' ? part : [pause(300), part]);
      chat.upstream.enqueue(answers === 'before' ? [pause(300), refusal(400)] : refusal(400));
      const response = await fetch(`${chat.gateway.url}/v1/embeddings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${chat.pro.key.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'vectors', input: Array.from({ length: 192 }, () => 'ten tokens') }),
      });
      expect(response.status).toBe(400);
      expect(await costOf(response)).toMatchObject({ status: 'failed', cost: 960 * 1000 });
    },
  );

  it.each(['twelve bytes', '一二三四'])(
    'an answer that the caller made unusable is charged by an estimate for answered parts of a divided request that report nothing (%s)',
    async (text) => {
      const embeddings = Array.from({ length: 100 }, () => ({ values: [1, 0] }));
      chat.upstream.enqueue(json(200, { embeddings })).enqueue(refusal(400));
      const response = await fetch(`${chat.gateway.url}/v1/embeddings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${chat.pro.key.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'uncounted', input: Array.from({ length: 200 }, () => text) }),
      });
      expect(response.status).toBe(400);
      expect(await costOf(response)).toMatchObject({
        status: 'failed',
        cost: 400 * 1000,
        charge: { basis: 'visible' },
      });
      expect(await chat.row(response)).toMatchObject({ token_source: 'estimated' });
    },
  );
});
