import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TokenCounter } from '../src/upstreams/tokens/token-counter.js';
import { chunkOf, completion } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { chunk, hang, head, type Script } from './support/script.js';
import { StreamReader } from './support/stream-reader.js';

const PRICE = '{ inputUsdPerMTok: 1, outputUsdPerMTok: 10 }';

function model(id: string, upstream: string, more = ''): string {
  return `- { id: ${id}, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 5000,
      price: ${PRICE}, targets: [{ upstream: ${upstream}, model: m }], ${more} }`;
}

const MODELS = [
  model('plain', 'stopping', 'capabilities: [image_input]'),
  model('thinker', 'stopping', 'capabilities: [reasoning]'),
  model('claude', 'anthropic', 'capabilities: []'),
  model('unconnected', 'silent'),
].join('\n');

const streamHead = head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
const QUESTION = [{ role: 'user', content: 'One two three four five six seven eight.' }];

let chat: ChatTest;
/** Accepts connections, and never answers a TLS handshake. */
let silent: Server;
beforeAll(async () => {
  silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  chat = await ChatTest.start({
    settings: 'retry: { attempts: 3 }',
    env: { ANTHROPIC_API_KEY: 'k', STOPPING_API_KEY: 'k', SILENT_API_KEY: 'k' },
    catalog: {
      models: MODELS,
      upstreams: (baseUrl) => `
stopping: { protocol: openai-compatible, baseUrl: "${baseUrl}" }
silent: { protocol: openai-compatible, baseUrl: "https://127.0.0.1:${port}" }
anthropic: { protocol: anthropic, baseUrl: "${baseUrl}" }`,
    },
  });
  await chat.gateway.services.get(TokenCounter).count('warm');
});
afterAll(async () => {
  await chat?.stop();
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
  const asked = chat.ask({ messages: QUESTION, ...request }, { signal: client.signal }).catch(() => undefined);
  await arrived;
  await sleep(ms);
  client.abort();
  await asked;
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
  it("of a JSON answer is charged for the prompt and the model's time", async () => {
    const row = await leaveBeforeHead({ model: 'plain' }, 300);
    expect(row).toMatchObject({ status: 'aborted', source: 'estimated', charge: { basis: 'time' } });
    expect(row.input).toBeGreaterThanOrEqual(9);
    expect(row.output).toBeGreaterThanOrEqual(30);
    expect(row.output).toBeLessThan(300);
    expect(row.cost).toBe(row.input * 1000 + row.output * 10_000);
  });

  it('of a stream is charged for the prompt only, if the model does not reason', async () => {
    const row = await leaveBeforeHead({ model: 'plain', stream: true }, 100);
    expect(row).toMatchObject({ status: 'aborted', output: 0, charge: { basis: 'visible' } });
    expect(row.cost).toBe(row.input * 1000);
  });

  it('of a stream is charged for the likely hidden reasoning', async () => {
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

  it('is never charged for more than the longest possible answer', async () => {
    const row = await leaveBeforeHead({ model: 'plain', max_tokens: 7 }, 200);
    expect(row.output).toBe(7);
  });

  it('is charged nothing before the request was sent', async () => {
    const client = new AbortController();
    const connected = new Promise((resolve) => silent.once('connection', resolve));
    const asked = chat
      .ask({ model: 'unconnected', messages: QUESTION }, { signal: client.signal })
      .catch(() => undefined);
    await connected;
    await sleep(50);
    client.abort();
    await asked;
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

  it('is charged the usage reported so far', async () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 77, total_tokens: 1077 };
    const event = `data: ${JSON.stringify({ ...chunkOf({ role: 'assistant', content: text }), usage })}\n\n`;
    const row = await leaveStream({ model: 'thinker' }, [streamHead, chunk(event), hang()], 'ten');
    expect(row).toMatchObject({ input: 1000, output: 77, source: 'reported', cost: 1000 * 1000 + 77 * 10_000 });
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

  it('is charged at the usual speed of a model that has completed answers', async () => {
    const tokens = { prompt_tokens: 10, completion_tokens: 4000, total_tokens: 4010 };
    for (let count = 0; count < 10; count++) {
      chat.upstream.enqueue(completion('Hello.', tokens));
      await (await chat.ask({ model: 'thinker', messages: QUESTION })).json();
    }
    const row = await leaveBeforeHead({ model: 'thinker' }, 200);
    expect(row.output).toBe(5000);
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
