import { describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import type { LimitChange } from '../src/limits/values/limit-values.js';
import { completion, refusal, stream } from './support/chat-answers.js';
import { RoutingTest } from './support/routing-test.js';
import { json } from './support/script.js';
import type { TestUser } from './support/test-gateway.js';

const ORIGIN = 'https://app.example.com';

/** Headers that every page may read, of the connection, and for browsers and proxies themselves. */
const NOT_BY_NAME =
  /^(cache-control|content-(length|type)|date|connection|keep-alive|transfer-encoding|vary|access-control-.*|x-content-type-options|x-accel-buffering)$/;

/** Headers that the SDKs of OpenAI and Anthropic send from browsers, and those that callers of this gateway add. */
const REQUEST_HEADERS = [
  ...[
    'authorization',
    'api-key',
    'x-api-key',
    'content-type',
    'accept',
    'idempotency-key',
    'traceparent',
    'tracestate',
  ],
  ...[
    'openai-organization',
    'openai-project',
    'openai-beta',
    'x-request-id',
    'anthropic-dangerous-direct-browser-access',
  ],
  ...[
    'arch',
    'lang',
    'os',
    'package-version',
    'retry-count',
    'runtime',
    'runtime-version',
    'timeout',
    'helper-method',
  ].map((name) => `x-stainless-${name}`),
];

const seen = new Set<string>();

const price = 'price: { inputUsdPerMTok: 10, outputUsdPerMTok: 20 }';
const target = (upstream: string) => `targets: [{ upstream: ${upstream}, model: m }]`;
const chat = await RoutingTest.start({
  env: { CONTENT_LOG_KEY: Buffer.alloc(32).toString('base64') },
  settings: `retry: { attempts: 1 }\nserver: { corsOrigins: ["${ORIGIN}"] }
guards: { personal: { detect: [email], do: report } }`,
  models: {
    cached: `${target('a')}, price: free, cache: { ttl: 1h }, guards: [personal]`,
    priced: `${target('a')}, ${price}`,
    requested: `${target('b')}, fallback: [priced]`,
  },
  upstreams: { a: ['a'], b: ['b'] },
});

interface Requested {
  model?: string;
  fields?: object;
  user?: TestUser;
  headers?: Record<string, string>;
}

/** The headers that a page of the origin may read; those that clients read by name are recorded as seen. */
async function readByPage({ model = 'priced', fields = {}, user = chat.user, headers = {} }: Requested) {
  const body = { model, messages: [{ role: 'user', content: 'Say hello.' }], ...fields };
  const response = await chat.gateway.complete(user, body, { headers: { origin: ORIGIN, ...headers } });
  await response.text();
  expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  const exposed = new Set(response.headers.get('access-control-expose-headers')?.split(','));
  const byName = [...response.headers.keys()].filter((name) => !NOT_BY_NAME.test(name));
  for (const name of byName) seen.add(name);
  return {
    status: response.status,
    exposed: [...exposed],
    hidden: byName.filter((name) => !exposed.has(name)),
    byName,
  };
}

async function limited(limits: LimitChange): Promise<TestUser> {
  const user = await chat.gateway.createUser();
  await chat.gateway.services.get(UserLimitsService).set(user.id, limits, GATEWAY);
  return user;
}

describe('a page of another origin', () => {
  it('can send all headers that SDKs send from browsers', async () => {
    const response = await fetch(`${chat.gateway.url}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': REQUEST_HEADERS.join(','),
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')?.split(',')).toEqual(REQUEST_HEADERS);
  });

  it('can read every header for clients, and each exposed one is sent', async () => {
    const rates = await limited({ requestsPerMinute: 1, tokensPerMinute: 100_000 });
    const short = await limited({ budgetTotalNanodollars: 10_000_000n });
    const spent = await limited({ budgetTotalNanodollars: 1n });
    const logged = await chat.gateway.createUser();
    await chat.gateway.database.query('UPDATE api_keys SET logs_content = true WHERE user_id = $1', [logged.id]);
    const named = { headers: { 'idempotency-key': 'one' } };
    const ask = async (requested: Requested, status: number, name: string) => {
      const answer = await readByPage(requested);
      expect({ status: answer.status, hidden: answer.hidden }).toEqual({ status, hidden: [] });
      expect(answer.byName).toContain(name);
      return answer.exposed;
    };
    chat.a.always(() => completion());
    chat.b.always(() => refusal(503));
    const exposed = await ask({ user: rates }, 200, 'x-ratelimit-remaining-tokens');
    await ask({ user: rates }, 429, 'retry-after-ms');
    await ask({ user: short }, 200, 'x-gateway-output-ceiling');
    await ask({ user: spent }, 429, 'x-should-retry');
    await ask({ model: 'requested' }, 200, 'x-gateway-fallback-from');
    await ask(named, 200, 'openai-processing-ms');
    await ask(named, 200, 'x-gateway-idempotent-replay');
    await ask({ headers: { authorization: 'Bearer svc_wrong' } }, 401, 'www-authenticate');
    chat.a.always(() => stream());
    await ask({ fields: { stream: true } }, 200, 'openai-processing-ms');
    chat.a.enqueue(refusedTemperature).enqueue(completion());
    await ask({ fields: { temperature: 0.11 } }, 200, 'x-gateway-ignored-parameters');
    chat.a.enqueue(completion()).enqueue(completion());
    await ask({ user: logged }, 200, 'x-gateway-content-log');
    chat.a.enqueue(completion());
    await ask({ model: 'cached', fields: { user: 'ada@example.com' } }, 200, 'x-gateway-guards');
    await ask({ model: 'cached' }, 200, 'age');
    const messages = await fetch(`${chat.gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { ...chat.user.headers, origin: ORIGIN, 'content-type': 'application/json', 'anthropic-version': 'x' },
      body: JSON.stringify({ model: 'priced', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    if (messages.headers.has('request-id')) seen.add('request-id');
    expect([...seen].sort()).toEqual([...exposed].sort());
  });
});

const refusedTemperature = json(400, {
  error: {
    message: "Unsupported value: 'temperature' does not support this value with this model.",
    type: 'invalid_request_error',
    param: 'temperature',
    code: 'unsupported_value',
  },
});
