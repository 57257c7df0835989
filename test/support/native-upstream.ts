import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Exchange, readExchange } from './exchanges.js';
import { chunk, head, json, lastChunk, type Script } from './script.js';

const PROVIDERS = join(import.meta.dirname, '../../src/upstreams/providers');
/** Small enough to split events and lines. */
const PIECE_BYTES = 211;

/** The request format of an upstream's own API, independent of the adapters. */
export interface NativeApi {
  /** `model` and `stream` of the body, unless the path contains them. */
  address(model: string, streamed: boolean): { path: string; model?: string; stream: boolean };
  credential(key: string): Record<string, string>;
  /** The part of a body that offers a tool. */
  tool(name: string, schema: object): object;
  /** The part of a body that holds a base64 PNG after the first message's text. */
  image(data: string): object;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const secondOfContent = (part: object) => ({ messages: [{ content: [{}, part] }] });

const openAiLike = (path: string): NativeApi => ({
  address: (model, stream) => ({ path, model, stream }),
  credential: bearer,
  tool: (name, parameters) => ({ tools: [{ type: 'function', function: { name, parameters } }] }),
  image: (data) => secondOfContent({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }),
});

const NATIVE_APIS: Readonly<Record<string, NativeApi>> = {
  openai: openAiLike('/v1/chat/completions'),
  'openai-responses': {
    address: (model, stream) => ({ path: '/v1/responses', model, stream }),
    credential: bearer,
    tool: (name, parameters) => ({ tools: [{ type: 'function', name, parameters }] }),
    image: (data) => ({
      input: [{ content: [{}, { type: 'input_image', image_url: `data:image/png;base64,${data}` }] }],
    }),
  },
  mistral: openAiLike('/v1/chat/completions'),
  deepseek: openAiLike('/chat/completions'),
  xai: openAiLike('/v1/chat/completions'),
  groq: openAiLike('/openai/v1/chat/completions'),
  cohere: openAiLike('/v2/chat'),
  anthropic: {
    address: (model, stream) => ({ path: '/v1/messages', model, stream }),
    credential: (key) => ({ 'x-api-key': key }),
    tool: (name, schema) => ({ tools: [{ name, input_schema: schema }] }),
    image: (data) => secondOfContent({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }),
  },
  gemini: {
    address: (model, streamed) => ({
      path: `/v1beta/models/${model}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      stream: false,
    }),
    credential: (key) => ({ 'x-goog-api-key': key }),
    tool: (name, schema) => ({ tools: [{ functionDeclarations: [{ name, parametersJsonSchema: schema }] }] }),
    image: (data) => ({ contents: [{ parts: [{}, { inlineData: { mimeType: 'image/png', data } }] }] }),
  },
  bedrock: {
    address: (model, streamed) => ({
      path: `/model/${encodeURIComponent(model)}/${streamed ? 'converse-stream' : 'converse'}`,
      stream: false,
    }),
    credential: bearer,
    tool: (name, schema) => ({ toolConfig: { tools: [{ toolSpec: { name, inputSchema: { json: schema } } }] } }),
    image: (data) => secondOfContent({ image: { format: 'png', source: { bytes: data } } }),
  },
};

/** The API of a protocol's upstreams. */
export function nativeApi(protocol: string): NativeApi {
  const api = NATIVE_APIS[protocol];
  if (!api) throw new Error(`The API of ${protocol} is not described.`);
  return api;
}

/** The first fixture of a scenario that is streamed, or not. */
export function fixtureOf(protocol: string, scenario: string, streamed: boolean): Exchange {
  const folder = join(PROVIDERS, protocol, 'fixtures');
  const index: Record<string, readonly string[]> = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
  const exchanges = (index[scenario] ?? []).map((file) => readExchange(folder, file));
  const found = exchanges.find(({ stream }) => (stream !== null) === streamed);
  if (!found) throw new Error(`${protocol} has no ${streamed ? 'stream' : 'JSON'} for ${scenario}.`);
  return found;
}

/** Sends the answer; a stream in pieces that split its events. */
export function replay({ status, headers, body, stream, encoding }: Exchange): Script {
  if (stream === null) return json(status, body);
  const bytes = Buffer.from(stream, encoding);
  const pieces = Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, at) =>
    bytes.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES),
  );
  const type = headers['content-type'] ?? 'text/event-stream';
  return [head(status, { 'content-type': type, 'transfer-encoding': 'chunked' }), ...pieces.map(chunk), lastChunk()];
}
