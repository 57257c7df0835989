import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { loadSettings } from '../src/config/settings.js';
import type { ChatCompletion, ChatCompletionChunk } from '../src/upstreams/contract/chat.types.js';
import { PROVIDERS } from '../src/upstreams/providers/providers.js';
import type { Answer } from './support/answer.js';
import { answerOfCompletion, answerOfStream, brokenPromises } from './support/client-answer.js';
import type { Exchange } from './support/exchanges.js';
import { fixtureOf, nativeApi, replay } from './support/native-upstream.js';
import { schemaFaults } from './support/openai-schema.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway } from './support/test-gateway.js';
import { readerOf } from './support/upstream-readers.js';

type Request = Pick<OpenAI.ChatCompletionCreateParams, 'messages' | 'tools'>;

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const OUR_ID = /^chatcmpl-/;
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const QUESTION: Request = { messages: [{ role: 'user', content: 'What is this?' }] };
const IMAGE_QUESTION: Request = {
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      ],
    },
  ],
};

const { models, upstreams } = loadSettings({ CONFIG_DIR: '.' }, PROVIDERS, join(import.meta.dirname, '../config'));

const upstream = await ScriptedUpstream.start();
const gateway = await TestGateway.start({ env: environment(), config: { 'gateway.yaml': 'retry: { attempts: 1 }' } });
const { key } = await gateway.createUser({ plan: 'pro' });
const client = new OpenAI({ apiKey: key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });

/** Every upstream of the catalog live: its own key, and its own path behind the scripted one's address. */
function environment(): Record<string, string> {
  const variables = [...upstreams.values()].flatMap(({ name, protocol, baseUrl }) => [
    [protocol === 'bedrock' ? 'AWS_BEARER_TOKEN_BEDROCK' : `${name.toUpperCase()}_API_KEY`, keyOf(name)],
    [`${name.toUpperCase()}_BASE_URL`, upstream.url + new URL(baseUrl).pathname.replace(/\/$/, '')],
  ]);
  return Object.fromEntries(variables);
}

function keyOf(name: string): string {
  return `key-of-${name}`;
}

interface CatalogEntry {
  /** The public id. */
  id: string;
  /** The upstream's name for it. */
  model: string;
  upstreamName: string;
  protocol: string;
  /** The protocol of its upstream for calls with function tools. */
  toolProtocol: string;
  /** Its capabilities; null: unknown, everything is forwarded. */
  capabilities: readonly string[] | null;
}

const FORMS: readonly (readonly [form: string, answered: typeof completed])[] = [
  ['JSON', completed],
  ['a stream', streamed],
];

const CATALOG = models.map(({ id, capabilities, targets: [target] }): CatalogEntry => {
  const { upstream: upstreamName = '', model = '', reasonsWithoutTools } = target ?? {};
  const protocol = upstreams.get(upstreamName)?.protocol ?? '';
  const toolProtocol = reasonsWithoutTools === 'always' ? 'openai-responses' : protocol;
  return { id, model, upstreamName, protocol, toolProtocol, capabilities };
});

/** The first model of each upstream and set of capabilities: others differ only in their names and prices. */
const DISTINCT = [...new Map(CATALOG.toReversed().map((entry) => [kindOf(entry), entry])).values()].toReversed();

function kindOf({ upstreamName, toolProtocol, capabilities }: CatalogEntry): string {
  return JSON.stringify([upstreamName, toolProtocol, capabilities?.toSorted()]);
}

it.each(CATALOG)('$id answers in JSON', async (entry) => {
  const { reported } = await completed(entry, 'text', QUESTION);
  expect(reported.choices[0]?.content).not.toBe('');
});

describe.each(DISTINCT)('$id', (entry) => {
  const { protocol, toolProtocol, capabilities } = entry;
  const native = nativeApi(protocol);

  it('answers in a stream', async () => {
    const { reported } = await streamed(entry, 'text', QUESTION);
    expect(reported.choices[0]?.content).not.toBe('');
  });

  if (capabilities?.includes('tools') ?? true) {
    it.each(FORMS)('calls a tool in %s', async (form, answered) => {
      const name = toolIn(toolProtocol, fixtureOf(toolProtocol, 'tools', form === 'a stream'));
      const { reported, body } = await answered({ ...entry, protocol: toolProtocol }, 'tools', withTool(name));
      expect(reported.choices[0]).toMatchObject({
        finish: 'tool_calls',
        toolCalls: [{ id: expect.stringMatching(/./), name }],
      });
      for (const call of reported.choices[0]?.toolCalls ?? [])
        expect(JSON.parse(call.arguments)).toBeInstanceOf(Object);
      expect(body).toMatchObject(nativeApi(toolProtocol).tool(name, SCHEMA));
    });
  } else {
    it('refuses a tool before its upstream is called', () => expectRefused(entry, withTool('weather'), 'tools'));
  }

  if (capabilities?.includes('image_input') ?? true) {
    it.each(FORMS)('sees an image in %s', async (_form, answered) => {
      const { body } = await answered(entry, 'text', IMAGE_QUESTION);
      expect(body).toMatchObject(native.image(PNG));
    });
  } else {
    it('refuses an image before its upstream is called', () =>
      expectRefused(entry, IMAGE_QUESTION, 'messages[0].content[1]'));
  }
});

/** For JSON and streams: a 400 that names the field, and no call. */
async function expectRefused({ id }: CatalogEntry, request: Request, param: string): Promise<void> {
  const before = upstream.requests.length;
  for (const stream of [false, true]) {
    const requested = client.chat.completions.create({ ...request, model: id, stream });
    await expect(requested).rejects.toMatchObject({ status: 400, code: 'unsupported_value', param });
  }
  expect(upstream.requests).toHaveLength(before);
}

interface Outcome {
  /** The answer that the client got. */
  reported: Answer;
  /** The request that the upstream got. */
  body: unknown;
}

/** Sends a JSON request; the answer is a fixture and reaches the client complete and valid. */
async function completed(entry: CatalogEntry, scenario: string, request: Request): Promise<Outcome> {
  const exchange = fixtureOf(entry.protocol, scenario, false);
  const before = upstream.requests.length;
  upstream.always(() => replay(exchange));
  const completion: ChatCompletion = plain(await client.chat.completions.create({ ...request, model: entry.id }));
  expect(schemaFaults('completion', completion)).toEqual([]);
  expect(completion).toMatchObject({ id: expect.stringMatching(OUR_ID), model: entry.id });
  const reported = answerOfCompletion(completion);
  expectSame(reported, readerOf(entry.protocol).answer(exchange));
  return { reported, body: sentBody(entry, before, false) };
}

/** Requests a stream with usage; the answer is a fixture and reaches the client complete and valid. */
async function streamed(entry: CatalogEntry, scenario: string, request: Request): Promise<Outcome> {
  const exchange = fixtureOf(entry.protocol, scenario, true);
  const before = upstream.requests.length;
  upstream.always(() => replay(exchange));
  const requested = { ...request, model: entry.id, stream_options: { include_usage: true } };
  const chunks: ChatCompletionChunk[] = [];
  const stream = client.chat.completions.stream(requested).on('chunk', (chunk) => chunks.push(plain(chunk)));
  const { id, created } = await stream.finalChatCompletion();
  expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
  expect(id).toMatch(OUR_ID);
  expect(brokenPromises(chunks, { id, created, model: entry.id })).toEqual([]);
  expect(chunks.flatMap(({ choices }) => choices).filter((choice) => choice.finish_reason)).toHaveLength(1);
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
  const reported = answerOfStream(chunks);
  expectSame(reported, readerOf(entry.protocol).answer(exchange));
  return { reported, body: sentBody(entry, before, true) };
}

/** The answer that the SDK read, in the format of the gateway. */
function plain<Written>(read: object): Written {
  return JSON.parse(JSON.stringify(read));
}

/**
 * The client got everything that the upstream sent, except for ids of tool calls, which the gateway creates for some
 * upstreams.
 */
function expectSame(reported: Answer, message: Answer): void {
  expect(withoutIds(reported)).toEqual(withoutIds(message));
  expect(reported.usage?.total).toBe((reported.usage?.prompt ?? 0) + (reported.usage?.completion ?? 0));
  expect(reported.usage?.completion).toBeGreaterThan(0);
}

function withoutIds(answer: Answer): Answer {
  const copy = structuredClone(answer);
  for (const call of Object.values(copy.choices).flatMap((choice) => choice.toolCalls)) call.id = '';
  return copy;
}

/** The body of the one request that was sent since, which used the path of the API and the upstream's key. */
function sentBody({ protocol, model, upstreamName }: CatalogEntry, before: number, streamed: boolean): unknown {
  const api = nativeApi(protocol);
  const sent = upstream.requests.slice(before);
  expect(sent).toHaveLength(1);
  const body = sent[0]?.json() as { model?: string; stream?: boolean };
  const address = { path: sent[0]?.path, model: body.model, stream: body.stream ?? false };
  expect(address).toEqual(api.address(model, streamed));
  expect(sent[0]?.headers).toMatchObject(api.credential(keyOf(upstreamName)));
  return body;
}

/** The name of the tool that an answer calls. */
function toolIn(protocol: string, exchange: Exchange): string {
  return readerOf(protocol).answer(exchange).choices[0]?.toolCalls[0]?.name ?? '';
}

function withTool(name: string): Request {
  return { ...QUESTION, tools: [{ type: 'function', function: { name, parameters: SCHEMA } }] };
}
