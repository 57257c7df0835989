import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import { type ApiRow, CALL_TABLE } from './support/api-table.js';
import { ApiTest, answerOf, expectApiError } from './support/api-test.js';

const CANARY = 'canary.7f3a@example.com';
const GUARDS = `
guards:
  masking: { detect: [email], do: mask }
  blocking: { words: { secrets: [bluebird] }, do: block }
  reporting: { patterns: { ticket: 'TICKET-[0-9]{4}' }, do: report }
guardsForAll: [masking, blocking, reporting]
retry: { attempts: 1 }`;

let test: ApiTest;
beforeAll(async () => {
  test = await ApiTest.start(GUARDS);
});
afterAll(() => test?.stop());

const tool = (about: string) => ({
  name: 'send',
  description: about,
  parameters: { type: 'object', properties: { to: { type: 'string', description: about } } },
});

/** Each API's positions of text: the fields of a request that has `text` there. */
const POSITIONS: Readonly<Record<string, Readonly<Record<string, (text: string) => object>>>> = {
  'chat.completions': {
    system: (text) => ({
      messages: [
        { role: 'system', content: text },
        { role: 'user', content: 'x' },
      ],
    }),
    'text part': (text) => ({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text },
          ],
        },
      ],
    }),
    'tool description': (text) => ({ tools: [{ type: 'function', function: tool(text) }] }),
    'tool arguments': (text) => ({
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'send', arguments: JSON.stringify({ text }) } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'done' },
      ],
      tools: [{ type: 'function', function: tool('x') }],
    }),
    'tool result': (text) => ({
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'send', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: text },
      ],
    }),
    'text file': (text) => ({
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'file',
              file: { filename: 'a.txt', file_data: `data:text/plain;base64,${Buffer.from(text).toString('base64')}` },
            },
          ],
        },
      ],
    }),
    metadata: (text) => ({ metadata: { who: text } }),
    user: (text) => ({ user: text }),
  },
  responses: {
    instructions: (instructions) => ({ instructions }),
    message: (text) => ({ input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }] }),
    'tool description': (text) => ({ tools: [{ type: 'function', ...tool(text) }] }),
    'tool arguments': (text) => ({
      input: [
        { role: 'user', content: 'x' },
        { type: 'function_call', call_id: 'c1', name: 'send', arguments: JSON.stringify({ text }) },
        { type: 'function_call_output', call_id: 'c1', output: 'done' },
      ],
    }),
    'tool result': (text) => ({
      input: [
        { role: 'user', content: 'x' },
        { type: 'function_call', call_id: 'c1', name: 'send', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: text },
      ],
    }),
  },
  messages: {
    system: (text) => ({ system: [{ type: 'text', text }] }),
    'text part': (text) => ({ messages: [{ role: 'user', content: [{ type: 'text', text }] }] }),
    'tool description': (text) => {
      const { parameters, ...rest } = tool(text);
      return { tools: [{ ...rest, input_schema: parameters }] };
    },
    'tool input': (text) => ({
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'send', input: { text } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'done' }] },
      ],
    }),
    'tool result': (text) => ({
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'send', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text }] }] },
      ],
    }),
  },
  completions: { suffix: (suffix) => ({ suffix }), list: (text) => ({ prompt: ['a', text] }) },
  embeddings: { list: (text) => ({ input: [text] }) },
};

const cases = CALL_TABLE.flatMap(([name, row]) => {
  const positions = Object.entries({ question: () => ({}), ...POSITIONS[row.client.api] });
  return positions.map(([position, fields]) => [`${name}: ${position}`, row, fields] as const);
});

const ask = (row: ApiRow, fields: (text: string) => object, text: string) =>
  test.post(row, JSON.stringify({ ...row.client.question(row.model, text), ...fields(text) }));
const sent = () => test.a.requests.map(({ body }) => body.toString());
/** What the database has of a text: rows, errors, audit entries. */
async function stored(text: string): Promise<string[]> {
  const tables = await test.gateway.database.query<{ name: string }>(
    "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await test.gateway.database.query(`SELECT 1 FROM ${name} AS one WHERE one::text ILIKE $1 LIMIT 1`, [
        `%${text}%`,
      ]);
      return row ? [name] : [];
    }),
  );
  return found.flat();
}

describe.each(cases)('A guard of requests at %s', (_name, row, fields) => {
  it('masks what it finds before the upstream sees it', async () => {
    test.a.enqueue(answerOf(row, false));
    const response = await ask(row, fields, `Write to ${CANARY} now`);
    const text = await response.text();
    expect({ status: response.status, text }).toMatchObject({ status: 200 });
    const body = test.a.requests.at(-1)?.body.toString() ?? '';
    const decoded = body.replace(/base64,([\w+/=]+)/g, (_, data) => Buffer.from(String(data), 'base64').toString());
    expect(decoded).toContain('Write to [EMAIL_1] now');
    expect(decoded).not.toContain(CANARY);
  });

  it('blocks it before the upstream is called', async () => {
    const before = test.a.requests.length;
    const response = await ask(row, fields, 'The Bluebird files');
    expect(response.headers.get('content-type')).toMatch(/json/);
    const message = await expectApiError(row, response, { status: 400, code: 'content_blocked' });
    expect(message).toContain('the guard blocking: it contains a word of the list secrets');
    expect(message).not.toMatch(/bluebird/i);
    expect(test.a.requests.length).toBe(before);
  });

  it('reports it and changes nothing', async () => {
    test.a.enqueue(answerOf(row, false));
    const response = await ask(row, fields, 'See TICKET-1234');
    expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
    const body = test.a.requests.at(-1)?.body.toString() ?? '';
    expect(body.replace(/base64,([\w+/=]+)/g, (_, data) => Buffer.from(String(data), 'base64').toString())).toContain(
      'TICKET-1234',
    );
  });
});

describe('Texts that guards found', () => {
  it('are nowhere in the upstream requests, the database and the log', async () => {
    expect(sent().length).toBeGreaterThan(cases.length);
    expect(sent().filter((body) => body.includes(CANARY) || /bluebird/i.test(body))).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await stored('canary.7f3a')).toEqual([]);
    expect(await stored('bluebird')).toEqual([]);
    expect(test.gateway.log.filter((line) => JSON.stringify(line).match(/canary\.7f3a|bluebird/i))).toEqual([]);
  });

  it('are in no error, not even as the name of a field', async () => {
    const [, chat] = CALL_TABLE[0] as (typeof CALL_TABLE)[number];
    for (const fields of [{ metadata: { Bluebird: 'x' } }, { bluebird: [{ a: 'Bluebird' }] }, { model: 'bluebird' }]) {
      const response = await test.ask(chat, fields);
      expect(response.status).toBe(400);
      expect(await response.text()).not.toMatch(/bluebird/i);
    }
  });
});

describe('A blocked request', () => {
  it('takes a request of the rate, and costs nothing', async () => {
    const user = await test.gateway.createUser();
    await test.gateway.services.get(UserLimitsService).set(user.id, { requestsPerMinute: 2 }, GATEWAY);
    const [, chat] = CALL_TABLE[0] as (typeof CALL_TABLE)[number];
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) {
      const response = await test.ask(chat, { user: 'bluebird' }, { user });
      statuses.push(response.status);
      if (n === 0) expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('1');
      await response.text();
    }
    expect(statuses).toEqual([400, 400, 429]);
  });
});
