import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach } from '@jest/globals';
import { ChatTest } from './chat-test.js';
import { eventually } from './eventually.js';
import { TestGateway, type TestUser } from './test-gateway.js';

const row = (id: string, cache: string, upstream = 'openai') => `
- { id: ${id}, aliases: [${id}-alias], tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10 }, hostedTools: { web_search: 0.01 }, ${cache} targets: [{ upstream: ${upstream}, model: m }] }`;
const MODELS = [
  row('cached', 'cache: { ttl: 1h },'),
  row('shared', 'cache: { ttl: 1h, shared: true },'),
  row('short', 'cache: { ttl: 1s },'),
  row('plain', ''),
  row('translated', 'cache: { ttl: 1h },', 'other'),
  row('claude', 'cache: { ttl: 1h },', 'anthropic'),
].join('');

const env = {
  ...{ CONTENT_LOG_KEY: randomBytes(32).toString('base64'), OPENAI_API_KEY: 'k', OTHER_API_KEY: 'k' },
  ANTHROPIC_API_KEY: 'k',
};
const upstreams = (baseUrl: string) => `
openai: { protocol: openai, baseUrl: "${baseUrl}" }
other: { protocol: openai-compatible, baseUrl: "${baseUrl}" }
anthropic: { protocol: anthropic, baseUrl: "${baseUrl}" }`;

/** Two gateways on one database, with models whose answers are cached; each test has a question of its own. */
export const cache = {} as { chat: ChatTest; other: TestGateway; question: string };
let questions = 0;

/** Call it once in a file. `more`: of the first gateway's settings. */
export function startCache(more = ''): void {
  beforeAll(async () => {
    const settings = `retry: { attempts: 1 }\ncache: { maxAnswer: 64kb, maxSize: 1mb }\n${more}`;
    cache.chat = await ChatTest.start({ settings, env, catalog: { models: MODELS, upstreams } });
    cache.other = await TestGateway.start({
      database: cache.chat.gateway.database,
      env,
      config: {
        'gateway.yaml': 'cacheByHeader: true',
        'models.yaml': MODELS,
        'upstreams.yaml': upstreams(`${cache.chat.upstream.url}/v1`),
      },
    });
  });
  beforeEach(() => {
    cache.question = `Question ${++questions}`;
    cache.chat.upstream.requests.length = 0;
  });
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads any answer
export type Json = any;

export const PICTURE = { type: 'image_url', index: 0, image_url: { url: 'data:image/png;base64,AA' } };

export const requested = () => cache.chat.upstream.requests.length;
export const resultOf = (reply: Response) => reply.headers.get('x-gateway-cache');
export const ask = (fields: object = {}, headers: Record<string, string> = {}) =>
  cache.chat.ask({ model: 'cached', messages: [{ role: 'user', content: cache.question }], ...fields }, { headers });
export const post = (path: string, body: object, user: TestUser = cache.chat.pro) =>
  fetch(`${cache.chat.gateway.url}${path}`, {
    method: 'POST',
    headers: { ...user.headers, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  });
export const count = async () => {
  const [{ n } = { n: 0 }] = await cache.chat.gateway.database.query<{ n: number }>(
    'SELECT count(*)::int n FROM cached_answers',
  );
  return n;
};
/** Until no claim is left, so that what a call stores is stored. */
export const settled = () =>
  eventually(async () => {
    const rows = await cache.chat.gateway.database.query('SELECT FROM cache_claims');
    return rows.length === 0 || undefined;
  });
/** The chunks of a stream. */
export const chunksIn = async (reply: Response) =>
  (await reply.text())
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)));
