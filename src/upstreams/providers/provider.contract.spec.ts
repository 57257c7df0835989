import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import {
  bytesOf,
  CALL,
  expectFailure,
  expectFaithful,
  expectRefusal,
  replay,
} from '../../../test/support/adapter-checks.js';
import { answerOfStream } from '../../../test/support/client-answer.js';
import { type Exchange, readExchange } from '../../../test/support/exchanges.js';
import { schemaFaults } from '../../../test/support/openai-schema.js';
import { providerCall } from '../../../test/support/provider-call.js';
import { createWorkFolder } from '../../../test/support/test-settings.js';
import type { UpstreamReader } from '../../../test/support/upstream-reader.js';
import { readerOf } from '../../../test/support/upstream-readers.js';
import { loadSettings } from '../../config/settings.js';
import type { ChatCompletionRequest } from '../contract/chat.types.js';
import { PROVIDERS } from './providers.js';

/** The fixtures of a scenario, or the reason why the API has none. */
type FixtureIndex = Record<string, string[] | { absent: string }>;

const ANSWERS = [
  ...(['text', 'tools', 'parallel-tools', 'functions', 'images', 'reasoning', 'agent-turn', 'json-schema'] as const),
];
const ERRORS = ['error-400', 'error-401', 'error-404', 'error-429', 'error-5xx'] as const;
const SCENARIOS = [...ANSWERS, ...ERRORS, 'error-mid-stream'] as const;

/** Dialects that read errors with OpenAI's code alone, which only reads the bodies of these errors. */
const READS_ERRORS_LIKE_OPENAI = [
  'mistral',
  'deepseek',
  'groq',
  'together',
  'ollama',
  'vllm',
  'perplexity',
  'openai-compatible',
];
const READ_ERRORS = ['error-400', 'error-429'] as const;

/** Dialects that send images as OpenAI's does, with no code of their own. */
const SENDS_IMAGES_LIKE_OPENAI = ['azure', 'groq', 'ollama', 'xai'];

const here = fileURLToPath(new URL('.', import.meta.url));

function folderOf(protocol: string): string {
  return join(here, protocol, 'fixtures');
}

function indexOf(protocol: string): FixtureIndex {
  return JSON.parse(readFileSync(join(folderOf(protocol), 'index.json'), 'utf8'));
}

function fixturesOf(protocol: string, scenario: string): Exchange[] {
  const files = indexOf(protocol)[scenario];
  return Array.isArray(files) ? files.map((file) => readExchange(folderOf(protocol), file)) : [];
}

it('every protocol can be used in upstreams.yaml, and signs requests with its own scheme', async () => {
  const entries = PROVIDERS.map(
    ({ protocol }) => `${protocol}: { protocol: ${protocol}, baseUrl: "https://api.example.com" }`,
  );
  const configuration = await createWorkFolder({ 'upstreams.yaml': entries.join('\n'), 'models.yaml': '[]' });
  const { upstreams } = loadSettings(configuration.variables, PROVIDERS, configuration.path);
  await configuration.remove();
  const used = PROVIDERS.map(({ protocol }) => upstreams.get(protocol));
  expect(used).toMatchObject(PROVIDERS.map(({ protocol, auth }) => ({ protocol, scheme: auth })));
});

it('every protocol has fixtures for every scenario, or a reason for having none', () => {
  const faults = PROVIDERS.flatMap(({ protocol }) => {
    const index = indexOf(protocol);
    const unknown = Object.keys(index).filter((scenario) => !SCENARIOS.some((known) => known === scenario));
    const empty = SCENARIOS.filter((scenario) => {
      const entry = index[scenario] ?? [];
      return (Array.isArray(entry) ? entry : entry.absent).length === 0;
    });
    return [...unknown, ...empty].map((scenario) => `${protocol}: ${scenario}`);
  });
  expect(faults).toEqual([]);
});

it.each(['text', 'agent-turn'])(
  'every protocol has a fixture of a stream and one of a whole answer: %s',
  (scenario) => {
    const kinds = (protocol: string) => fixturesOf(protocol, scenario).map(({ stream }) => stream !== null);
    const having = PROVIDERS.filter(({ protocol }) => Array.isArray(indexOf(protocol)[scenario]));
    const lacking = having.filter(({ protocol }) => new Set(kinds(protocol)).size < 2);
    expect(lacking.map(({ protocol }) => protocol)).toEqual([]);
  },
);

describe.each(PROVIDERS.map((adapter) => [adapter.protocol, adapter] as const))('%s', (protocol, adapter) => {
  const reader = readerOf(protocol);
  const fixtures = (scenario: string) => fixturesOf(protocol, scenario);

  for (const scenario of ANSWERS) {
    for (const exchange of fixtures(scenario)) {
      it(`${scenario}: ${exchange.file} is passed to the client completely`, async () => {
        await expectFaithful(adapter, reader, exchange);
        expectShown(scenario, reader, exchange);
      });
    }
  }

  for (const scenario of READS_ERRORS_LIKE_OPENAI.includes(protocol) ? READ_ERRORS : ERRORS) {
    for (const exchange of fixtures(scenario)) {
      it(`${scenario}: ${exchange.file} has the right status`, () => expectRefusal(adapter, exchange, scenario));
    }
  }

  for (const exchange of fixtures('error-mid-stream')) {
    it(`error-mid-stream: ${exchange.file} is thrown after the chunks before it`, async () => {
      await expectFailure(adapter, reader, exchange);
    });
  }

  const allStreams = [...fixtures('text'), ...fixtures('tools')].filter(({ stream }) => stream !== null);
  // All dialects read streams with OpenAI's reader, which is tested with all of OpenAI's.
  const streams = reader.speaksOpenAi && protocol !== 'openai' ? allStreams.slice(0, 1) : allStreams;

  it.each(streams.map((exchange) => [exchange.file, exchange] as const))(
    '%s: a truncated stream has no finish reason and no content that the upstream did not send',
    async (_file, exchange) => {
      const whole = answerOfStream(await replay(adapter, [bytesOf(exchange)])).choices[0];
      const cut = bytesOf(exchange).subarray(0, offsetBeforeFinish(exchange, reader));
      const chunks = await replay(adapter, [cut]);
      const reported = answerOfStream(chunks).choices[0];
      expect(reported?.finish).toBeNull();
      expect(whole?.content.startsWith(reported?.content ?? '')).toBe(true);
      expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
    },
  );

  it.each(streams.map((exchange) => [exchange.file, exchange] as const))(
    '%s: unknown events, comments and fields have no effect',
    async (_file, exchange) => {
      const strewn = (reader.strewn ?? strewnWithEvents)(exchange.stream ?? '');
      expect(strewn.length).toBeGreaterThan(exchange.stream?.length ?? 0);
      expect(await replay(adapter, [Buffer.from(strewn, exchange.encoding)])).toEqual(
        await replay(adapter, [bytesOf(exchange)]),
      );
    },
  );

  if (fixtures('images').length > 0 && !SENDS_IMAGES_LIKE_OPENAI.includes(protocol)) {
    it('forwards an image unchanged', () => {
      const part = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${'A'.repeat(64)}` } };
      const request: ChatCompletionRequest = { model: 'public', messages: [{ role: 'user', content: [part] }] };
      const { body } = adapter.toRequest(providerCall(request));
      expect(JSON.stringify(body)).toContain('A'.repeat(64));
      expect(JSON.stringify(body)).toMatch(/data:image\/png;base64,A|"image\/png"|"png"/);
    });
  }

  if (!reader.speaksOpenAi) return;

  it("translates every fixture's request for the upstream model, without changing the caller's values", () => {
    for (const { request } of SCENARIOS.flatMap(fixtures)) {
      if (request === null) continue;
      const given = deepFreeze(structuredClone(request)) as unknown as ChatCompletionRequest;
      const { body, path, method } = adapter.toRequest(providerCall(given));
      expect({ method, path }).toEqual({ method: 'POST', path: expect.stringMatching(/^\//) });
      expect(JSON.stringify(body)).toContain(CALL.upstreamModel);
      expect(JSON.parse(JSON.stringify(body))).toEqual(body);
    }
  });
});

function expectShown(scenario: (typeof ANSWERS)[number], reader: UpstreamReader, exchange: Exchange): void {
  const answer = reader.answer(exchange);
  const choice = answer.choices[0];
  const request = JSON.stringify(exchange.request);
  if (scenario === 'text') expect(`${choice?.content}${choice?.refusal}`).not.toBe('');
  if (scenario === 'tools') expect(choice?.toolCalls.length).toBeGreaterThan(0);
  if (scenario === 'parallel-tools') expect(choice?.toolCalls.length).toBeGreaterThan(1);
  if (scenario === 'functions') expect(choice?.functionCall?.name).toBeTruthy();
  if (scenario === 'images') expect(request).toContain(reader.imageMark);
  if (scenario === 'agent-turn') {
    expect(choice).toMatchObject({ content: expect.stringMatching(/./), reasoning: expect.stringMatching(/./) });
    expect(choice?.toolCalls).toHaveLength(2);
  }
  if (scenario === 'reasoning') expect(choice?.reasoning || answer.usage?.reasoning).toBeTruthy();
  if (scenario === 'json-schema') {
    expect(request).toMatch(/json_?schema/i);
    expect(JSON.parse(choice?.content ?? '')).toBeInstanceOf(Object);
  }
}

/** Adds unknown events, comments and fields before each event of a stream. */
function strewnWithEvents(stream: string): string {
  const strange =
    ': keep-alive\r\n\r\nevent: provider.ping\ndata: {"type":"ping"}\n\nevent: note\ndata: not JSON\n\n' +
    'id: 7\nretry: 10\n\ndata: {"object":"unheard.of","x":{}}\n\ndata:\n\ndata: null\n\n';
  const strewn = stream.replaceAll(/(?<=\n\n|\r\n\r\n)(?=(?:event|data):)/g, strange);
  expect(strewn).not.toBe(stream);
  return strange + strewn;
}

function offsetBeforeFinish({ stream }: Exchange, reader: UpstreamReader): number {
  const text = stream ?? '';
  if (reader.offsetBeforeFinish) return reader.offsetBeforeFinish(text);
  const finish = text.search(reader.finishMark);
  return Buffer.byteLength(text.slice(0, text.lastIndexOf('data:', finish)));
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
