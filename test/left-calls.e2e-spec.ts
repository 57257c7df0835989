import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { TokenCounter } from '../src/upstreams/tokens/token-counter.js';
import { chunkOf, completion } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { chunk, hang, head, pause, type Script, type Step } from './support/script.js';
import { StreamReader } from './support/stream-reader.js';

const PRICE = '{ inputUsdPerMTok: 1, outputUsdPerMTok: 10, audioInputUsdPerMTok: 1 }';

function model(id: string, upstream: string, more = ''): string {
  return `- { id: ${id}, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 5000,
      price: ${PRICE}, targets: [{ upstream: ${upstream}, model: m }], ${more} }`;
}

const MODELS = [
  model('plain', 'stopping', 'capabilities: [image_input]'),
  model('thinker', 'stopping', 'capabilities: [reasoning]'),
  model('always-thinking', 'stopping, traits: { efforts: [low, high] }'),
  model('may-think', 'stopping, traits: { efforts: [none, low] }', 'capabilities: [reasoning]'),
  model('claude', 'anthropic', 'capabilities: []'),
  model('gemini', 'gemini', 'capabilities: [reasoning]'),
  model('unconnected', 'silent'),
].join('\n');

const streamHead = head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
const QUESTION = [{ role: 'user', content: 'One two three four five six seven eight.' }];

function pdfOf(pages: number): string {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 10} 0 R`).join(' ');
  const tree = `2 0 obj<</Type/Pages/Count ${pages}/Kids[${kids}]>>endobj`;
  const file = `%PDF-1.7\n${tree}${'\n9 0 obj<</Type/Page>>endobj'.repeat(pages)}\n%%EOF`;
  return `data:application/pdf;base64,${Buffer.from(file).toString('base64')}`;
}

/** Accepts connections, and never answers a TLS handshake. */
const silent = createServer((socket) => socket.on('error', () => socket.destroy()).resume()).listen(0, '127.0.0.1');
await once(silent, 'listening');
const { port } = silent.address() as AddressInfo;
const chat = await ChatTest.start({
  settings: 'retry: { attempts: 3 }',
  env: { ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k', STOPPING_API_KEY: 'k', SILENT_API_KEY: 'k' },
  catalog: {
    models: MODELS,
    upstreams: (baseUrl) => `
stopping: { protocol: openai-compatible, baseUrl: "${baseUrl}" }
silent: { protocol: openai-compatible, baseUrl: "https://127.0.0.1:${port}" }
gemini: { protocol: gemini, baseUrl: "${baseUrl}" }
anthropic: { protocol: anthropic, baseUrl: "${baseUrl}" }`,
  },
});
await chat.gateway.services.get(TokenCounter).count('warm');
afterAll(async () => {
  silent?.close();
});

interface Row {
  status: string;
  input: number;
  output: number;
  cost: number;
  source: string;
  charge: { basis?: string } | null;
}

async function rowOf(response?: Response): Promise<Row> {
  const row = await chat.row(response);
  return {
    status: String(row.status),
    input: Number(row.input_tokens),
    output: Number(row.output_tokens),
    cost: Number(row.cost_nanodollars),
    source: String(row.token_source),
    charge: row.charge as Row['charge'],
  };
}

/** Sends a request, disconnects this many ms after the upstream has received it, and returns the row. */
async function leaveBeforeHead(request: object, ms: number): Promise<Row> {
  chat.upstream.enqueue(hang());
  const client = new AbortController();
  const arrived = chat.upstream.received(chat.upstream.requests.length + 1);
  const requested = chat.ask({ messages: QUESTION, ...request }, { signal: client.signal }).catch(() => undefined);
  await arrived;
  await sleep(ms);
  client.abort();
  await requested;
  return rowOf();
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

describe('a caller who disconnects before the first token', () => {
  it("a caller who disconnects before the first token of a JSON answer is charged for the prompt and the model's time", async () => {
    const row = await leaveBeforeHead({ model: 'plain' }, 300);
    expect(row).toMatchObject({ status: 'aborted', source: 'estimated', charge: { basis: 'time' } });
    expect(row.input).toBeGreaterThanOrEqual(9);
    expect(row.output).toBeGreaterThanOrEqual(30);
    expect(row.output).toBeLessThan(300);
    expect(row.cost).toBe(row.input * 1000 + row.output * 10_000);
  });

  it('a caller who disconnects before the first token is charged for all choices of a JSON answer', async () => {
    const row = await leaveBeforeHead({ model: 'plain', n: 100 }, 200);
    expect(row).toMatchObject({ charge: { basis: 'time' } });
    expect(row.output).toBeGreaterThanOrEqual(100 * 20);
  });

  it('a caller who disconnects before the first token of a stream is charged for the prompt only, if the model does not reason', async () => {
    const row = await leaveBeforeHead({ model: 'plain', stream: true }, 100);
    expect(row).toMatchObject({ status: 'aborted', output: 0, charge: { basis: 'visible' } });
    expect(row.cost).toBe(row.input * 1000);
  });

  it('a caller who disconnects before the first token of a stream is charged for the likely hidden reasoning', async () => {
    const row = await leaveBeforeHead({ model: 'thinker', stream: true }, 200);
    expect(row).toMatchObject({ charge: { basis: 'time' } });
    expect(row.output).toBeGreaterThanOrEqual(20);
  });

  it('is charged for files, audio and images in the prompt', async () => {
    const sound = { type: 'input_audio', input_audio: { data: 'A'.repeat(160_000), format: 'mp3' } };
    const file = {
      type: 'file',
      file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${'A'.repeat(160_000)}` },
    };
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const inputs = [];
    for (const part of [sound, file, image]) {
      const content = [{ type: 'text', text: 'What is it?' }, part];
      inputs.push(
        (await leaveBeforeHead({ model: 'plain', stream: true, messages: [{ role: 'user', content }] }, 0)).input,
      );
    }
    const [ofSound = 0, ofFile = 0, ofImage = 0] = inputs;
    expect(ofSound).toBeGreaterThan(900);
    expect(ofFile).toBeGreaterThan(10_000);
    expect(ofImage).toBeGreaterThan(700);
  });

  it('a caller who disconnects before the first token of a stream is charged for the likely reasoning of a model that always reasons', async () => {
    const row = await leaveBeforeHead({ model: 'always-thinking', stream: true, reasoning_effort: 'none' }, 200);
    expect(chat.sent()).toMatchObject({ reasoning_effort: 'low' });
    expect(row).toMatchObject({ charge: { basis: 'time' } });
    expect(row.output).toBeGreaterThanOrEqual(20);
  });

  it('a caller who turns reasoning off is charged for it all the same where the model may ignore that', async () => {
    const left = { stream: true, reasoning_effort: 'none' };
    expect(await leaveBeforeHead({ model: 'thinker', ...left }, 200)).toMatchObject({ charge: { basis: 'time' } });
    const row = await leaveBeforeHead({ model: 'may-think', ...left }, 200);
    expect(chat.sent()).toMatchObject({ reasoning_effort: 'none' });
    expect(row).not.toMatchObject({ charge: { basis: 'time' } });
  });

  it.each([
    [true, { reasoning: { effort: 'high' } }],
    [true, { thinking: { type: 'adaptive', display: 'omitted' } }],
    [true, { chat_template_kwargs: { enable_thinking: true } }],
    [false, { reasoning: { effort: 'none', summary: 'auto' }, thinking: { type: 'disabled' } }],
    [false, { chat_template_kwargs: { enable_thinking: false } }],
  ])('is charged for likely reasoning (%s) beside the effort none if the request has %j', async (isCharged, fields) => {
    const row = await leaveBeforeHead({ model: 'may-think', stream: true, reasoning_effort: 'none', ...fields }, 200);
    expect(chat.sent()).toMatchObject(fields);
    expect(row.charge?.basis === 'time').toBe(isCharged);
  });

  it('is charged for the whole prompt, wherever it is written in few tokens', async () => {
    const dense = Array.from({ length: 100_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)));
    const inputOf = async (content: string) =>
      (await leaveBeforeHead({ model: 'plain', stream: true, messages: [{ role: 'user', content }] }, 0)).input;
    const whole = await inputOf(dense.join(''));
    const spaces = ' '.repeat(1000);
    const mixed = dense.map((character, at) => (at % 1000 === 0 ? spaces + character : character)).join('');
    for (const text of [' '.repeat(100_000) + dense.join(''), dense.join('') + ' '.repeat(100_000), mixed]) {
      const input = await inputOf(text);
      expect(input).toBeGreaterThan(whole * 0.9);
      expect(input).toBeLessThan(whole * 1.2);
    }
  });

  it.each<[what: string, part: object, tokens: number]>([
    ['the pages of a PDF', { type: 'file', file: { filename: 'a.pdf', file_data: pdfOf(40) } }, 40 * 1500],
    ['the whole context for a video', { type: 'video_url', video_url: { url: 'https://a.example/a.mp4' } }, 100_000],
    [
      'the whole context for a file without pages',
      { type: 'file', file: { filename: 'a.docx', file_data: `data:application/msword;base64,${'A'.repeat(400)}` } },
      100_000,
    ],
  ])('is charged %s', async (_, part, tokens) => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Sum up.' }, part] }];
    const { input } = await leaveBeforeHead({ model: 'plain', stream: true, messages }, 0);
    expect(input).toBeGreaterThanOrEqual(tokens);
    expect(input).toBeLessThan(tokens + 3000);
  });

  it('is never charged for more than the longest possible answer', async () => {
    const row = await leaveBeforeHead({ model: 'plain', max_tokens: 7 }, 200);
    expect(row.output).toBe(7);
  });

  it('is charged nothing before the request was sent', async () => {
    const client = new AbortController();
    const connected = new Promise((resolve) => silent.once('connection', resolve));
    const requested = chat
      .ask({ model: 'unconnected', messages: QUESTION }, { signal: client.signal })
      .catch(() => undefined);
    await connected;
    await sleep(50);
    client.abort();
    await requested;
    expect(await rowOf()).toMatchObject({ status: 'aborted', input: 0, output: 0, cost: 0, charge: null });
  });
});

describe('a caller who disconnects in the middle of a stream', () => {
  const text = 'one two three four five six seven eight nine ten';

  it('is charged for everything received: text, reasoning and tool calls', async () => {
    const call = {
      index: 0,
      id: 'a',
      type: 'function',
      function: { name: 'look', arguments: '{"a":"one two three"}' },
    };
    const script = [
      streamHead,
      ...[{ role: 'assistant', content: text }, { reasoning_content: text }, { tool_calls: [call] }].map((delta) =>
        chunk(`data: ${JSON.stringify(chunkOf(delta))}\n\n`),
      ),
      hang(),
    ];
    const row = await leaveStream({ model: 'plain' }, script, 'look');
    expect(row).toMatchObject({ status: 'aborted', charge: { basis: 'visible' } });
    expect(row.output).toBeGreaterThanOrEqual(27);
  });

  it('is charged for the time of an answer that it did not read', async () => {
    const logprobs = { content: [{ token: 'a', logprob: -1, bytes: Array(100_000).fill(1) }] };
    const delta = { ...chunkOf({}), choices: [{ index: 0, delta: { content: 'word ' }, logprobs }] };
    const event = chunk(`data: ${JSON.stringify(delta)}\n\n`);
    chat.upstream.enqueue([streamHead, ...Array<Step>(400).fill(event), hang()]);
    const { hostname, port } = new URL(chat.gateway.url);
    const client = connect(Number(port), hostname).pause();
    const body = JSON.stringify({ model: 'plain', messages: QUESTION, stream: true });
    const lines = ['Host: x', `Authorization: ${chat.pro.headers.authorization}`, 'Content-Type: application/json'];
    client.write(
      `POST /v1/chat/completions HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await chat.upstream.received(chat.upstream.requests.length + 1);
    await sleep(6000);
    client.destroy();
    const row = await rowOf();
    expect(row).toMatchObject({ status: 'aborted', charge: { basis: 'time' } });
    expect(row.output).toBeGreaterThan(500);
  });

  it('is charged the usage reported so far', async () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 77, total_tokens: 1077 };
    const event = `data: ${JSON.stringify({ ...chunkOf({ role: 'assistant', content: text }), usage })}\n\n`;
    const row = await leaveStream({ model: 'thinker' }, [streamHead, chunk(event), hang()], 'ten');
    expect(row).toMatchObject({ input: 1000, output: 77, source: 'reported', cost: 1000 * 1000 + 77 * 10_000 });
  });

  it('a caller who disconnects in the middle of a stream after its last word is charged the usage that follows', async () => {
    const usage = { prompt_tokens: 7000, completion_tokens: 77, total_tokens: 7077 };
    const last = { ...chunkOf({}), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    const events = [chunkOf({ role: 'assistant', content: text }), last];
    const script = [
      streamHead,
      ...events.map((event) => chunk(`data: ${JSON.stringify(event)}\n\n`)),
      pause(300),
      chunk(`data: ${JSON.stringify({ ...chunkOf({}), choices: [], usage })}\n\n`),
      hang(),
    ];
    const row = await leaveStream({ model: 'plain' }, script, '"stop"');
    expect(row).toMatchObject({ status: 'aborted', source: 'reported', cost: 7000 * 1000 + 77 * 10_000 });
  });

  it('a caller who disconnects in the middle of a stream after its last word is charged an estimate if no usage follows within seconds', async () => {
    const last = { ...chunkOf({}), choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] };
    const script = [streamHead, chunk(`data: ${JSON.stringify(last)}\n\n`), hang()];
    const row = await leaveStream({ model: 'plain' }, script, '"stop"');
    expect(row).toMatchObject({ status: 'aborted', source: 'estimated', charge: { basis: 'visible' } });
  });

  it.each([
    ['the text that came before its tokens were counted', { totalTokenCount: 15 }, 10],
    ['reasoning that was counted before the text', { thoughtsTokenCount: 3000, totalTokenCount: 3015 }, 3000],
  ])('is charged %s', async (_, counts, least) => {
    const content = { role: 'model', parts: [{ text }] };
    const event = { candidates: [{ content }], usageMetadata: { promptTokenCount: 15, ...counts } };
    const script = [streamHead, chunk(`data: ${JSON.stringify(event)}\n\n`), hang()];
    const row = await leaveStream({ model: 'gemini' }, script, 'ten');
    expect(row).toMatchObject({ input: 15, source: 'estimated' });
    expect(row.output).toBeGreaterThanOrEqual(least);
  });

  it('is charged nothing for usage that was reported as zero', async () => {
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    const event = `data: ${JSON.stringify({ ...chunkOf({ role: 'assistant', content: text }), usage })}\n\n`;
    expect(await leaveStream({ model: 'plain' }, [streamHead, chunk(event), hang()], 'ten')).toMatchObject({ cost: 0 });
  });

  it('is charged the prompt reported at the start, and what was received since', async () => {
    const events = [
      {
        type: 'message_start',
        message: { id: 'a', role: 'assistant', content: [], usage: { input_tokens: 5000, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    ];
    const script = [
      streamHead,
      ...events.map((event) => chunk(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)),
      hang(),
    ];
    const row = await leaveStream({ model: 'claude', max_tokens: 100 }, script, 'ten');
    expect(row).toMatchObject({ input: 5000, source: 'estimated', charge: { basis: 'visible' } });
    expect(row.output).toBeGreaterThanOrEqual(10);
  });

  it('is charged an estimated prompt if the upstream counts it at the end and starts with zero', async () => {
    const usage = { input_tokens: 0, output_tokens: 0 };
    const events = [
      { type: 'message_start', message: { id: 'a', role: 'assistant', content: [], usage } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } },
    ];
    const script = events.map((event) => chunk(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
    const row = await leaveStream({ model: 'claude', max_tokens: 100 }, [streamHead, ...script, hang()], 'Hi');
    expect(row).toMatchObject({ source: 'estimated', charge: { basis: 'visible' } });
    expect(row.input).toBeGreaterThan(8);
  });

  it('is charged for the whole prompt that the upstream reported, also above the reservation', async () => {
    const user = await chat.gateway.createUser({ limits: { budgetTotalNanodollars: 1_000_000_000n } });
    const usage = { input_tokens: 50_000, output_tokens: 1 };
    const started = { type: 'message_start', message: { id: 'a', role: 'assistant', content: [], usage } };
    const events = [started, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } }];
    chat.upstream.enqueue([
      streamHead,
      ...events.map((event) => chunk(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)),
      hang(),
    ]);
    const request = { model: 'claude', messages: QUESTION, stream: true, max_tokens: 100 };
    const response = await chat.gateway.complete(user, request);
    const reader = new StreamReader(response);
    await reader.until((event) => event.includes('Hi'));
    await reader.leave();
    const row = await rowOf(response);
    expect(row).toMatchObject({ status: 'aborted', input: 50_000, cost: 50_000_000, source: 'estimated' });
    expect(row.charge).toMatchObject({ reportedPrompt: 50_000_000, overReserved: expect.any(Number) });
  });

  it('is charged at the usual speed of a model, which no single user determines', async () => {
    const details = { completion_tokens_details: { reasoning_tokens: 3990 } };
    const tokens = { prompt_tokens: 10, completion_tokens: 4000, total_tokens: 4010, ...details };
    const answerTo = async ({ headers }: { headers: Record<string, string> }) => {
      chat.upstream.enqueue(completion('Hello.', tokens));
      await (await chat.ask({ model: 'thinker', messages: QUESTION }, { headers })).json();
    };
    for (let count = 0; count < 5; count++) await answerTo(chat.pro);
    const ofOneUser = await leaveBeforeHead({ model: 'thinker' }, 200);
    for (let count = 0; count < 2; count++) await answerTo(await chat.gateway.createUser({ plan: 'pro' }));
    const ofThree = await leaveBeforeHead({ model: 'thinker' }, 200);
    expect([ofOneUser.output, ofThree.output]).toEqual([expect.any(Number), 5000]);
    expect(ofOneUser.output).toBeLessThan(200);
  });
});

it('implausible token counts are not used', async () => {
  for (const count of [9e15, -5, 1.5]) {
    chat.upstream.enqueue(
      completion('One two three.', { prompt_tokens: count, completion_tokens: count, total_tokens: 2 * count }),
    );
    const response = await chat.ask({ model: 'plain', messages: QUESTION });
    expect(response.status).toBe(200);
    const { usage } = (await response.json()) as { usage: { completion_tokens: number } };
    const row = await rowOf(response);
    expect(row).toMatchObject({ status: 'settled', source: 'estimated', output: usage.completion_tokens });
    expect(row.output).toBeLessThan(10);
  }
});
