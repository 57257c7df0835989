import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { QUESTION } from './support/chat-test.js';
import { ConsoleClient } from './support/console-client.js';
import { createKey } from './support/console-keys.js';
import { eventually } from './support/eventually.js';
import { TestGateway } from './support/test-gateway.js';

type Schema = Record<string, unknown>;

interface Operation {
  parameters?: { name: string; in: string; required?: boolean }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Document {
  paths: Record<string, { get?: Operation }>;
  components: { schemas: Record<string, Schema> };
}

/** Files, and what is off in this gateway: payments, single sign-on, the content log. */
const OTHERS = /^\/api\/(apply$|payments|oidc\/|usage\/export|audit\/export|usage\/calls\/\{id\}\/content$)/;

/** Parameters of the query that a route needs. */
const QUERY = {
  from: new Date(Date.now() - 3_600_000).toISOString(),
  to: new Date(Date.now() + 3_600_000).toISOString(),
  groupBy: 'model',
  of: 'status',
};

const gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });
const admin = await ConsoleClient.as(gateway, 'admin');
const document = (await (await gateway.get('/docs/openapi.json')).json()) as Document;
const key = await createKey(admin, { note: 'for this test', models: [QUESTION.model] });
const project = await admin.post('/api/projects', { name: 'Project' });
const people = `/api/projects/${project.body.id}`;
const account = await admin.post(`${people}/service-accounts`, { name: 'crawler' });
await admin.post(`${people}/members`, { email: admin.user.email, role: 'manager' });
await admin.put(`/api/users/${admin.user.id}/limits`, { budgetDayUsd: 1, requestsPerMinute: 100 });
const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' };
const call = await fetch(`${gateway.url}/v1/chat/completions`, {
  method: 'POST',
  headers,
  body: JSON.stringify({ ...QUESTION, max_tokens: 5 }),
});
expect(call.status).toBe(200);
const calls = await eventually(async () => {
  const { body } = await admin.get(`/api/usage/calls?${new URLSearchParams({ from: QUERY.from, to: QUERY.to })}`);
  return body.items?.length > 0 && body.items;
});
const ids: Record<string, string> = {
  keys: key.id,
  users: admin.user.id,
  members: admin.user.id,
  projects: project.body.id,
  'service-accounts': account.body.id,
  calls: calls[0].id,
};

/** `/api/keys/{id}` with the id of a key; null if there is none for it here. */
function urlOf(path: string, { parameters = [] }: Operation): string | null {
  const url = path.replace(/([\w-]+)\/\{\w+\}/g, (named, kind: string) => (ids[kind] ? `${kind}/${ids[kind]}` : named));
  if (url.includes('{')) return null;
  const needed = parameters.filter((one) => one.in === 'query' && one.required);
  return `${url}?${new URLSearchParams(needed.map(({ name }) => [name, QUERY[name as keyof typeof QUERY]]))}`;
}

/** The document allows more properties, for clients of a later version; here each must be described. */
function exactly(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(exactly);
  if (typeof schema !== 'object' || schema === null) return schema;
  const own = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, exactly(value)]));
  return own.type === 'object' && own.properties !== undefined && own.additionalProperties === undefined
    ? { ...own, additionalProperties: false }
    : own;
}

describe('the console’s API', () => {
  it('answers with what its document describes, and with nothing else', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    const checked: string[] = [];
    const faults: unknown[] = [];
    for (const [path, { get }] of Object.entries(document.paths)) {
      if (!get || !path.startsWith('/api/') || OTHERS.test(path)) continue;
      const url = urlOf(path, get);
      if (url === null) continue;
      const { status, body } = await admin.get(url);
      const schema = get.responses[status]?.content?.['application/json']?.schema;
      if (status !== 200 || schema === undefined) {
        faults.push({ path, status, body });
        continue;
      }
      checked.push(path);
      const validate = ajv.compile(exactly({ ...schema, components: document.components }) as object);
      if (!validate(body)) faults.push({ path, errors: validate.errors?.slice(0, 3) });
    }
    expect(faults).toEqual([]);
    expect(checked.length).toBeGreaterThan(30);
  });
});
