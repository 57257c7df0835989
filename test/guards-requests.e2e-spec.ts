import { describe, expect, it } from '@jest/globals';
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

const test = await ApiTest.start(GUARDS);

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
              file: { filename: 'a.txt', file_data: inFile(text) },
            },
          ],
        },
      ],
    }),
    metadata: (text) => ({ metadata: { who: text } }),
    user: (text) => ({ user: text }),
    'developer message': (content) => ({
      messages: [
        { role: 'developer', content },
        { role: 'user', content: 'x' },
      ],
    }),
    'earlier answer': (content) => chatAfter({ role: 'assistant', content }),
    'earlier refusal': (refusal) => chatAfter({ role: 'assistant', content: [{ type: 'refusal', refusal }] }),
    'arguments of a function call': (text) => ({
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: null, function_call: { name: 'send', arguments: JSON.stringify({ text }) } },
        { role: 'function', name: 'send', content: 'done' },
      ],
    }),
    'result of a function': (content) => ({
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: null, function_call: { name: 'send', arguments: '{}' } },
        { role: 'function', name: 'send', content },
      ],
    }),
    'description of a function': (text) => ({ functions: [tool(text)] }),
    prediction: (content) => ({ prediction: { type: 'content', content } }),
    'schema of the answer': (description) => ({
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'a', schema: { type: 'object', properties: { a: { type: 'string', description } } } },
      },
    }),
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
    'earlier answer': (text) => ({
      input: [
        { role: 'user', content: 'x' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] },
        { role: 'user', content: 'y' },
      ],
    }),
    'text file': (text) => ({
      input: [{ role: 'user', content: [{ type: 'input_file', filename: 'a.txt', file_data: inFile(text) }] }],
    }),
    'schema of the answer': (description) => ({
      text: {
        format: {
          ...{ type: 'json_schema', name: 'a' },
          schema: { type: 'object', properties: { a: { type: 'string', description } } },
        },
      },
    }),
    metadata: (text) => ({ metadata: { who: text } }),
    user: (text) => ({ user: text }),
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
    'system as a string': (system) => ({ system }),
    'earlier answer': (text) => ({
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'text', text }] },
        { role: 'user', content: 'y' },
      ],
    }),
    'text document': (data) => ({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, title: 'a' },
            { type: 'text', text: 'x' },
          ],
        },
      ],
    }),
    'title of a document': (title) => ({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' }, title },
            { type: 'text', text: 'x' },
          ],
        },
      ],
    }),
  },
  completions: {
    suffix: (suffix) => ({ suffix }),
    list: (text) => ({ prompt: ['a', text] }),
    user: (text) => ({ user: text }),
  },
  embeddings: { list: (text) => ({ input: [text] }), user: (text) => ({ user: text }) },
};

/** Positions of names, which cannot be masked: a match there is blocked. */
const NAMES: Readonly<Record<string, Readonly<Record<string, (text: string) => object>>>> = {
  'chat.completions': {
    'name of a message': (name) => ({ messages: [{ role: 'user', name, content: 'x' }] }),
    'name of a tool': (name) => ({ tools: [{ type: 'function', function: { ...tool('x'), name } }] }),
    'name of a property': (name) => ({
      tools: [
        { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: { [name]: {} } } } },
      ],
    }),
    'value of an enumeration': (text) => ({
      tools: [{ type: 'function', function: { name: 'f', parameters: { properties: { a: { enum: [text] } } } } }],
    }),
    'key in arguments': (text) =>
      chatAfter({
        role: 'assistant',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: JSON.stringify({ [text]: 1 }) } }],
      }),
    'key of metadata': (text) => ({ metadata: { [text]: 'x' } }),
    'stop sequence': (stop) => ({ stop: [stop] }),
    'unknown field': (text) => ({ anything: [{ deep: text }] }),
    'unknown field of a message': (odd) => ({ messages: [{ role: 'user', content: 'x', odd }] }),
    'name of a file': (filename) => ({
      messages: [{ role: 'user', content: [{ type: 'file', file: { filename, file_data: inFile('x') } }] }],
    }),
  },
  responses: {
    'name of a tool': (name) => ({ tools: [{ type: 'function', ...tool('x'), name }] }),
    'unknown field': (text) => ({ anything: [{ deep: text }] }),
    id: (id) => ({ input: [{ type: 'message', id, role: 'user', content: 'x' }] }),
  },
  messages: {
    'name of a tool': (name) => ({ tools: [{ name, input_schema: { type: 'object' } }] }),
    'stop sequence': (text) => ({ stop_sequences: [text] }),
    'unknown field': (text) => ({ anything: [{ deep: text }] }),
    'user of the metadata': (text) => ({ metadata: { [text]: 'x' } }),
  },
  completions: { 'stop sequence': (stop) => ({ stop }), 'unknown field': (text) => ({ anything: text }) },
  embeddings: { 'unknown field': (text) => ({ anything: text }) },
};

function chatAfter(message: object): object {
  return { messages: [{ role: 'user', content: 'x' }, message, { role: 'user', content: 'y' }] };
}

function inFile(text: string): string {
  return `data:text/plain;base64,${Buffer.from(text).toString('base64')}`;
}

const cases = CALL_TABLE.flatMap(([name, row]) => {
  const positions = Object.entries({ question: (_text: string): object => ({}), ...POSITIONS[row.client.api] });
  return positions.map(([position, fields]) => [`${name}: ${position}`, row, fields] as const);
});

const named = CALL_TABLE.flatMap(([name, row]) =>
  Object.entries(NAMES[row.client.api] ?? {}).map(
    ([position, fields]) => [`${name}: ${position}`, row, fields] as const,
  ),
);

const ask = (row: ApiRow, fields: (text: string) => object, text: string) =>
  test.post(row, JSON.stringify({ ...row.client.question(row.model, text), ...fields(text) }));
const decodedOf = (body: string) =>
  body.replace(/base64,([\w+/=]+)/g, (_, data) => Buffer.from(String(data), 'base64').toString());
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
  it.each(row.streams ? [false, true] : [false])(
    'masks what it finds before the upstream sees it (stream: %p)',
    async (stream) => {
      test.a.enqueue(answerOf(row, stream));
      const response = await ask(row, (text) => ({ ...fields(text), ...(stream && { stream }) }), `To ${CANARY} now`);
      const text = await response.text();
      expect({ status: response.status, text }).toMatchObject({ status: 200 });
      const body = decodedOf(test.a.requests.at(-1)?.body.toString() ?? '');
      expect(body).toContain('To [EMAIL_1] now');
      expect(body).not.toContain(CANARY);
    },
  );

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
    expect(decodedOf(body)).toContain('TICKET-1234');
  });
});

describe.each(named)('A guard of requests at %s', (_name, row, fields) => {
  it.each([CANARY, 'bluebird'])('blocks %s, as a name cannot be masked', async (text) => {
    const before = test.a.requests.length;
    const response = await test.ask(row, fields(text));
    const message = await expectApiError(row, response, { status: 400, code: 'content_blocked' });
    expect(message).not.toMatch(/canary|bluebird/i);
    expect(test.a.requests.length).toBe(before);
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
