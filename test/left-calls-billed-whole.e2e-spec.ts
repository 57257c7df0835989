import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { AnswerRecord } from '../src/completions/settlement/answer.record.js';
import type { MeteredAnswer } from '../src/completions/settlement/metered-answer.js';
import { RowsService } from '../src/completions/settlement/rows.service.js';
import { chunkOf, completion, stream } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { eventually } from './support/eventually.js';
import { gate, hang, json, sse } from './support/script.js';
import { StreamReader } from './support/stream-reader.js';

const QUESTION = [{ role: 'user', content: 'One two three four five six seven eight.' }];

function modelNamed(id: string, more = '', upstream = 'finishing'): string {
  return `- { id: ${id}, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 5000, ${more}
  capabilities: [], price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10 }, targets: [{ upstream: ${upstream}, model: m }] }
`;
}

const chat = await ChatTest.start({
  settings: `
guards:
  company: { webhook: { url: "http://127.0.0.1:1/" }, on: [answer] }
retry: { attempts: 3 }`,
  env: { FINISHING_API_KEY: 'k', OPENROUTER_API_KEY: 'k', STALLING_API_KEY: 'k' },
  catalog: {
    models:
      modelNamed('whole') +
      modelNamed('guarded', 'guards: [company],') +
      modelNamed('routed', '', 'openrouter') +
      modelNamed('stalling', '', 'stalling'),
    upstreams: (baseUrl) =>
      `finishing: { protocol: openai-compatible, baseUrl: "${baseUrl}", whenCallerLeaves: finish }
stalling: { protocol: openai-compatible, baseUrl: "${baseUrl}", whenCallerLeaves: finish, clocks: { head: 700ms, idle: 500ms } }
openrouter: { protocol: openrouter, baseUrl: "${baseUrl}" }`,
  },
});

async function rowOf(response?: Response) {
  const row = await chat.row(response);
  const [input, output] = [Number(row.input_tokens), Number(row.output_tokens)];
  return { status: row.status, input, output, source: row.token_source, charge: row.charge };
}

describe('an upstream that bills the whole answer', () => {
  it('is read to its end after the caller disconnected, and the call is charged as reported', async () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const usage = { prompt_tokens: 21, completion_tokens: 333, total_tokens: 354 };
    chat.upstream.enqueue(stream(['One two', gate(opened), ' three'], { usage }));
    const response = await chat.ask({ model: 'whole', messages: QUESTION, stream: true });
    const reader = new StreamReader(response);
    await reader.until((event) => event.includes('One two'));
    await reader.leave();
    await sleep(100);
    const id = response.headers.get('x-request-id');
    const statusOf = async () =>
      (await chat.gateway.database.query('SELECT status FROM usage_calls WHERE request_id = $1', [id]))[0]?.status;
    expect(await statusOf()).toBe('open');
    open();
    expect(await rowOf(response)).toMatchObject({
      status: 'aborted',
      input: 21,
      output: 333,
      source: 'reported',
      charge: null,
    });
  });

  it.each(['whole', 'routed'])('is read to its end without streaming, too (%s)', async (model) => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    chat.upstream.enqueue([
      gate(opened),
      completion('Hello.', { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 }),
    ]);
    const client = new AbortController();
    const arrived = chat.upstream.received(chat.upstream.requests.length + 1);
    const requested = chat.ask({ model, messages: QUESTION }, { signal: client.signal }).catch(() => undefined);
    await arrived;
    const logged = () => chat.gateway.log.filter(({ msg }) => msg === 'request').length;
    const before = logged();
    client.abort();
    await requested;
    // The gateway has noticed that the client disconnected.
    await eventually(() => logged() > before);
    open();
    expect(await rowOf()).toMatchObject({ status: 'aborted', input: 5, output: 6, source: 'reported' });
  });

  it('is neither charged nor retried, nor is another target tried, if it fails after the caller has disconnected', async () => {
    const before = chat.upstream.requests.length;
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    chat.upstream.enqueue([gate(opened), json(503, { error: { message: 'No.' } })]);
    const client = new AbortController();
    const arrived = chat.upstream.received(before + 1);
    const requested = chat
      .ask({ model: 'whole', messages: QUESTION }, { signal: client.signal })
      .catch(() => undefined);
    await arrived;
    client.abort();
    await requested;
    await sleep(50);
    open();
    await eventually(async () => (await rowOf()).status === 'aborted');
    expect(await rowOf()).toMatchObject({ input: 0, output: 0, charge: null });
    expect(chat.upstream.requests.length).toBe(before + 1);
  });

  it('is charged once if it fails with its usage after the caller has disconnected', async () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const usage = { prompt_tokens: 21, completion_tokens: 333, total_tokens: 354 };
    const failure = { ...chunkOf({}, 'error'), usage };
    chat.upstream.enqueue(sse([chunkOf({ role: 'assistant', content: 'One two' }), gate(opened), failure]));
    const response = await chat.ask({ model: 'whole', messages: QUESTION, stream: true });
    const reader = new StreamReader(response);
    await reader.until((event) => event.includes('One two'));
    await reader.leave();
    await sleep(100);
    open();
    const expected = { status: 'aborted', input: 21, output: 333, source: 'reported', charge: null };
    expect(await rowOf(response)).toEqual(expected);
  });

  it('is charged once if a clock ends it after the caller has disconnected', async () => {
    chat.upstream.enqueue(sse([chunkOf({ role: 'assistant', content: 'One two' }), hang()]));
    const response = await chat.ask({ model: 'stalling', messages: QUESTION, stream: true, max_tokens: 1234 });
    const reader = new StreamReader(response);
    await reader.until((event) => event.includes('One two'));
    await reader.leave();
    expect(await rowOf(response)).toEqual({
      ...{ status: 'aborted', input: 15, output: 1234, source: 'estimated' },
      charge: { basis: 'ceiling' },
    });
  });

  it('is charged by its time if a clock ends it before its answer', async () => {
    const before = chat.upstream.requests.length;
    chat.upstream.enqueue(hang());
    const client = new AbortController();
    const requested = chat.ask({ model: 'stalling', messages: QUESTION }, { signal: client.signal });
    await chat.upstream.received(before + 1);
    client.abort();
    await expect(requested).rejects.toThrow();
    const { output, charge } = await eventually(async () => {
      const row = await rowOf();
      return row.status === 'aborted' && row.charge !== null && row;
    });
    expect(charge).toEqual({ basis: 'time' });
    expect(output).toBeGreaterThan(20);
  });

  it('is charged what it answered if a clock ends it after its finish reason', async () => {
    chat.upstream.enqueue(
      sse([chunkOf({ role: 'assistant', content: 'One two three.' }), chunkOf({}, 'stop'), hang()]),
    );
    const response = await chat.ask({ model: 'stalling', messages: QUESTION, stream: true, max_tokens: 1234 });
    await response.text();
    expect(await rowOf(response)).toMatchObject({ status: 'failed', output: 4, charge: { basis: 'visible' } });
  });

  it('is charged what it answered if the guard of a whole answer without usage is away', async () => {
    chat.upstream.enqueue(completion('One two three.', null));
    const response = await chat.ask({ model: 'guarded', messages: QUESTION });
    expect(response.status).toBe(503);
    const row = await rowOf(response);
    expect(row).toMatchObject({ status: 'aborted', source: 'estimated' });
    expect(row.output).toBeGreaterThan(0);
    expect(row.output).toBeLessThan(20);
  });

  it('is closed when 256 others are being read, and its call is charged its highest cost', async () => {
    const rows = chat.gateway.services.get(RowsService);
    const others = Array.from({ length: 256 }, () => ({}) as MeteredAnswer);
    expect(others.every((other) => rows.mayFinish(other))).toBe(true);
    chat.upstream.enqueue(stream(['One two', hang()]));
    const response = await chat.ask({ model: 'whole', messages: QUESTION, stream: true, max_tokens: 1234 });
    const reader = new StreamReader(response);
    await reader.until((event) => event.includes('One two'));
    await reader.leave();
    expect(await rowOf(response)).toMatchObject({ status: 'aborted', output: 1234, charge: { basis: 'ceiling' } });
    for (const other of others) rows.ended(other, { slot: -1 } as AnswerRecord);
  });
});
