import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { TokenCounter } from '../src/upstreams/tokens/token-counter.js';
import { chunkOf } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { chunk, hang, head, type Script, type Step } from './support/script.js';
import { StreamReader } from './support/stream-reader.js';

const PRICE = 'inputUsdPerMTok: 1, outputUsdPerMTok: 10';

function model(id: string, upstreamModel = 'm', price = PRICE): string {
  return `- { id: ${id}, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 50000, capabilities: [tools],
      price: { ${price} }, targets: [{ upstream: ${id}, model: ${upstreamModel} }] }`;
}

const chat = await ChatTest.start({
  env: { SOUNDING_API_KEY: 'k' },
  catalog: {
    models: model('sounding', 'm', `${PRICE}, audioInputUsdPerMTok: 40, audioOutputUsdPerMTok: 80`),
    upstreams: (baseUrl) => `sounding: { protocol: openai-compatible, baseUrl: "${baseUrl}" }`,
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
  return chunk(`data: ${JSON.stringify(data)}\n\n`);
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
    chat.upstream.enqueue(hang());
    const client = new AbortController();
    const spoken = { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'mp3' } };
    const request = { model: 'sounding', messages: QUESTION, ...spoken };
    const arrived = chat.upstream.received(chat.upstream.requests.length + 1);
    const requested = chat.ask(request, { signal: client.signal }).catch(() => undefined);
    await arrived;
    await sleep(300);
    client.abort();
    await requested;
    const row = await rowOf();
    expect(row).toMatchObject({ charge: { basis: 'time', audioOutput: row.output } });
    expect(row.cost).toBe(row.input * 1000 + row.output * 80_000);
  });
});
