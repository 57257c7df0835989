import { readFile } from 'node:fs/promises';
import { Agent, request as send } from 'node:http';
import { expect, it } from '@jest/globals';
import { ConsoleClient } from '../support/console-client.js';
import { type FuzzedRequest, fuzzed, type Route } from '../support/fuzz.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { Random } from '../support/random.js';
import { createMigratedDatabase } from '../support/test-database.js';

/** `FUZZ_REQUESTS=100000` sends more, `FUZZ_SEED` others. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 10_000);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122);
const AT_ONCE = 16;
const PASSWORD = 'correct horse battery';
const MEGABYTE = 1024 ** 2;

const CHAT = {
  model: 'gpt-6-luna',
  messages: [
    { role: 'system', content: 'Be short.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'done' },
  ],
  tools: [
    {
      type: 'function',
      function: { name: 'f', parameters: { type: 'object', properties: { a: { type: 'string' } } } },
    },
  ],
  response_format: { type: 'json_schema', json_schema: { name: 's', schema: { type: 'object', properties: {} } } },
  max_tokens: 5,
  temperature: 1,
  stop: ['x'],
  n: 1,
  stream_options: { include_usage: true },
  stream: true,
};

const CHATS: Route[] = ['/v1/chat/completions', '/openai/v1/chat/completions'].flatMap((path) => [
  { method: 'POST', path, body: CHAT },
  { method: 'POST', path, body: { ...CHAT, stream: false } },
]);

const MESSAGES = {
  model: 'gpt-6-luna',
  max_tokens: 9,
  system: [{ type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'gw1_e30' },
        { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
        },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' }, title: 't' },
      ],
    },
  ],
  tools: [
    { name: 'f', input_schema: { type: 'object', properties: { a: { type: 'string' } } } },
    { type: 'web_search_20250305', name: 'web_search' },
  ],
  tool_choice: { type: 'auto' },
  thinking: { type: 'adaptive' },
  metadata: { user_id: 'u' },
};

const OF_MESSAGES: Route[] = [
  { path: '/v1/messages', body: { ...MESSAGES, stream: true } },
  { path: '/v1/messages?beta=true', body: MESSAGES },
  { path: '/v1/messages/count_tokens', body: MESSAGES },
].map((route) => ({ ...route, method: 'POST', headers: { 'anthropic-version': '2023-06-01' } }));

const database = await createMigratedDatabase();
const env = {
  SIMULATOR: 'on',
  DATABASE_URL: database.url,
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: PASSWORD,
};
const gateway = await GatewayProcess.start({
  env,
  config: { 'gateway.yaml': 'simulator: { tokensPerSecond: 1000000 }' },
});
const key: string = await gateway.createKey();
const person = { id: '', email: 'admin@example.com', role: 'admin' as const, password: PASSWORD };
const admin = await ConsoleClient.signIn(gateway, person);
const routes: Route[] = [...CHATS, ...CHATS, ...OF_MESSAGES, ...OF_MESSAGES, ...(await documentedRoutes())];

/** Keeps the administrator's session valid to the end. */
function endsSession({ method, path }: FuzzedRequest): boolean {
  return method === 'DELETE' && path.includes('session');
}

/** Every documented route, with a valid body and parameters. */
async function documentedRoutes(): Promise<Route[]> {
  const { body } = await admin.get('/docs/openapi.json');
  const document = body as Document;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const schema = operation.requestBody?.content['application/json']?.schema;
      return {
        method: method.toUpperCase(),
        path: path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000'),
        ...(schema && { body: exampleOf(schema, document, 0) }),
      };
    }),
  );
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  example?: unknown;
  enum?: unknown[];
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
}

interface Document {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
  components: { schemas: Record<string, Schema> };
}

function exampleOf(schema: Schema, document: Document, depth: number): unknown {
  if (depth > 6) return null;
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return exampleOf(document.components.schemas[name] ?? {}, document, depth + 1);
  if (schema.example !== undefined) return schema.example;
  const variant = schema.allOf?.[0] ?? schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (variant) return exampleOf(variant, document, depth + 1);
  if (schema.enum) return schema.enum[0];
  if (schema.properties) {
    const fields = Object.entries(schema.properties);
    return Object.fromEntries(fields.map(([field, inner]) => [field, exampleOf(inner, document, depth + 1)]));
  }
  if (schema.items) return [exampleOf(schema.items, document, depth + 1)];
  return { number: 1, integer: 1, boolean: true }[String(schema.type)] ?? 'text';
}

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${gateway.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

/** The status; null when the connection ended without one. */
function statusOf({ method, path, headers, body }: FuzzedRequest): Promise<number | null> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(gateway.url);
    try {
      const request = send({ agent, hostname, port, method, path, headers }, (response) => {
        response.resume();
        response.once('close', () => resolve(response.statusCode ?? null));
      });
      request.once('error', () => resolve(null));
      request.end(body ?? undefined);
    } catch {
      // Node itself does not send such a path.
      resolve(null);
    }
  });
}

/** With a key, with the session of an administrator, or with nothing. */
function credentials(random: Random): Record<string, string> {
  const who = random.below(5);
  if (who < 2) return { authorization: `Bearer ${key}` };
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return who < 4 ? { cookie } : {};
}

async function fuzz(count: number, random: Random): Promise<{ statuses: Map<number, number>; faults: string[] }> {
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const requested = fuzzed(random.pick(routes), credentials(random), random);
      if (endsSession(requested)) delete requested.headers.cookie;
      const status = (await statusOf(requested)) ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500 && status !== 503)
        faults.push(`${status}: ${requested.method} ${requested.path} ${requested.body}`.slice(0, 600));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { statuses, faults };
}

it(`no input ends the process or causes an internal error: ${REQUESTS} requests`, async () => {
  const random = new Random(SEED);
  const { pid } = gateway.child;
  // The first requests fill caches and pools, which remain.
  await fuzz(Math.min(2000, REQUESTS / 5), random);
  const before = await residentBytes();
  const { statuses, faults } = await fuzz(REQUESTS, random);
  expect(faults).toEqual([]);
  expect(gateway.child.exitCode).toBeNull();
  expect(gateway.child.pid).toBe(pid);
  expect((await admin.get('/api/account')).status).toBe(200);
  expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 14);
  expect(statuses.get(400) ?? 0).toBeGreaterThan(REQUESTS / 10);
  expect((await fetch(`${gateway.url}/health/ready`)).status).toBe(200);
  expect(((await residentBytes()) - before) / MEGABYTE).toBeLessThan(150);
  const errors = gateway.log.filter(({ level }) => level === 'error' || level === 'fatal');
  expect(errors).toEqual([]);
}, 600_000);
