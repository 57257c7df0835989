import { describe, expect, it } from '@jest/globals';
import { type ApiRow, CALL_TABLE, STREAMED_TABLE } from './support/api-table.js';
import { ApiTest } from './support/api-test.js';
import { chunkOf } from './support/chat-answers.js';
import { coreMsOf } from './support/core-time.js';
import { drip, type Script, type Step, sse, type Wire } from './support/script.js';

const CANARY = 'canary.7f3a@example.com';
const GUARDS = `
guards:
  masking: { detect: [email, payment_card], on: [answer], do: mask }
  blocking: { words: { secrets: [bluebird] }, on: [answer] }
  reporting: { patterns: { ticket: 'TICKET-[0-9]{4}' }, on: [answer], do: report }
  restoring: { patterns: { employee: 'EMP-[0-9]{4}' }, do: mask }
guardsForAll: [masking, blocking, reporting, restoring]
retry: { attempts: 1 }`;

const test = await ApiTest.start(GUARDS);

const stream = async (row: ApiRow, pieces: readonly string[], fields = {}) => {
  test.a.enqueue(row.wire.stream(pieces));
  const response = await test.ask(row, { stream: true, ...fields });
  return { response, sse: await response.text() };
};
const json = async (row: ApiRow, text: string) => {
  test.a.enqueue(row.wire.answer(text));
  const response = await test.ask(row);
  const body = await response.text();
  expect({ status: response.status, body }).toMatchObject({ status: 200 });
  return { response, body, text: row.client.textOf(JSON.parse(body)) };
};
const cuts = (text: string) => Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)]);
const rows = CALL_TABLE.filter(([, { streams }]) => streams);
const withoutPings = ({ client }: ApiRow, sse: string) => sse.replaceAll(client.heartbeat, '');

describe.each(STREAMED_TABLE)('A streamed answer of %s', (_name, row) => {
  it('is masked wherever its text is cut', async () => {
    for (const pieces of cuts(`To ${CANARY}, OK`)) {
      const { sse } = await stream(
        row,
        pieces.filter((piece) => piece !== ''),
      );
      expect(row.client.readStream(withoutPings(row, sse))).toMatchObject({
        text: 'To [EMAIL_1], OK',
        error: null,
        isWhole: true,
      });
      expect(sse).not.toContain('canary.7f3a');
    }
  });

  it('ends before what is blocked wherever its text is cut, and is charged whole', async () => {
    for (const pieces of cuts('No bluebird, and more.')) {
      const { response, sse } = await stream(row, [...pieces.filter((piece) => piece !== ''), ' The end.']);
      expect(row.client.readStream(withoutPings(row, sse)).text).toBe('No ');
      expect(sse).toMatch(/"content_filter"|"stop_reason":"refusal"/);
      expect(sse).not.toMatch(/blue|and more|The end/);
      if (pieces[0] !== '') continue;
      expect(await test.row(response)).toMatchObject({
        status: 'settled',
        output_tokens: '3',
        finish_reason: 'content_filter',
      });
    }
  });

  it('is unchanged where a match is only reported', async () => {
    const { sse } = await stream(row, ['See TICK', 'ET-1234.', ' Bye.']);
    expect(row.client.readStream(withoutPings(row, sse))).toMatchObject({
      text: 'See TICKET-1234. Bye.',
      isWhole: true,
    });
  });

  it('has the originals of what was masked in the request, wherever a placeholder is cut', async () => {
    const question = { ...row.client.question(row.model, 'Who is EMP-1234?') };
    for (const pieces of cuts('Is [EMPLOYEE_1] in?')) {
      const { sse } = await stream(
        row,
        pieces.filter((piece) => piece !== ''),
        question,
      );
      expect(row.client.readStream(withoutPings(row, sse))).toMatchObject({ text: 'Is EMP-1234 in?', isWhole: true });
      expect(test.a.requests.at(-1)?.body).not.toContain('EMP-1234');
    }
  });

  it('is masked wherever its bytes are cut, also inside a character', async () => {
    const script = row.wire.stream([`Für 🦊 ${CANARY}, 価格`]) as readonly Script[];
    const sent: Buffer[] = [];
    const wire = { write: async (data: Uint8Array | string) => void sent.push(Buffer.from(data as string)) } as Wire;
    for (const step of script.flat(9) as Step[]) await step(wire);
    const raw = Buffer.concat(sent);
    test.a.enqueue(drip(raw));
    const response = await test.ask(row, { stream: true });
    expect(row.client.readStream(withoutPings(row, await response.text()))).toMatchObject({
      text: 'Für 🦊 [EMAIL_1], 価格',
      error: null,
      isWhole: true,
    });
  });

  it('leaves before its end when the upstream pauses', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    test.a.enqueue(row.wire.stream(['Hello wor', () => promise, 'ld.']));
    const response = await test.ask(row, { stream: true });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let seen = '';
    while (!seen.includes('Hello wor')) seen += Buffer.from((await reader.read()).value ?? []).toString();
    resolve();
    for (let read = await reader.read(); !read.done; read = await reader.read())
      seen += Buffer.from(read.value).toString();
    expect(row.client.readStream(withoutPings(row, seen))).toMatchObject({ text: 'Hello world.', isWhole: true });
  });
});

describe.each(rows)('A whole answer of %s', (_name, row) => {
  it('is masked', async () => {
    const { text, body, response } = await json(row, `To ${CANARY} and 4111 1111 1111 1111.`);
    expect(text).toBe('To [EMAIL_1] and [PAYMENT_CARD_1].');
    expect(body).not.toMatch(/canary|4111/);
    expect(response.headers.get('x-gateway-guards')).toBe('masking=mask:2');
  });

  it('ends before what is blocked', async () => {
    const { text, body } = await json(row, 'No bluebird, and more.');
    expect(text).toBe('No ');
    expect(body).toMatch(/"content_filter"|"stop_reason":"refusal"/);
    expect(body).not.toMatch(/blue|and more/);
  });

  it('is unchanged where a match is only reported', async () => {
    const { text, response } = await json(row, 'See TICKET-1234.');
    expect(text).toBe('See TICKET-1234.');
    expect(response.headers.get('x-gateway-guards')).toBe('reporting=report:1');
  });
});

describe.each(rows)('A repeat by Idempotency-Key of %s', (name, row) => {
  it.each([false, true])('is restored from the request that repeats (stream: %p)', async (isStream) => {
    const headers = { 'idempotency-key': `guards ${name} ${isStream}` };
    const question = (who: string) => ({
      ...row.client.question(row.model, `Who is ${who}?`),
      ...(isStream && { stream: true }),
    });
    test.a.enqueue(isStream ? row.wire.stream(['Is [EMPLO', 'YEE_1] in?']) : row.wire.answer('Is [EMPLOYEE_1] in?'));
    const read = (text: string) =>
      isStream ? row.client.readStream(withoutPings(row, text)).text : row.client.textOf(JSON.parse(text));
    const first = await test.ask(row, question('EMP-1234'), { headers });
    expect(read(await first.text())).toBe('Is EMP-1234 in?');
    const [stored] = await test.gateway.database.query<{ answer: Buffer }>(
      "SELECT answer FROM idempotent_calls WHERE status = 'kept' ORDER BY expires_at DESC LIMIT 1",
    );
    expect(stored?.answer.toString()).toContain('[EMPLOYEE_1]');
    expect(stored?.answer.toString()).not.toContain('EMP-1234');
    const before = test.a.requests.length;
    const again = await test.ask(row, question('EMP-9876'), { headers });
    expect(again.headers.get('x-gateway-idempotent-replay')).toBe('true');
    expect(read(await again.text())).toBe('Is EMP-9876 in?');
    expect(test.a.requests.length).toBe(before);
  });
});

it('20,000 tool calls in one stream take seconds, not half a minute', async () => {
  const [, row] = CALL_TABLE[0] as (typeof CALL_TABLE)[number];
  const call = (index: number) => ({
    index,
    id: `c${index}`,
    type: 'function',
    function: { name: 'f', arguments: '{}' },
  });
  const chunks = Array.from({ length: 20_000 }, (_, index) => chunkOf({ tool_calls: [call(index)] }));
  test.a.enqueue(
    sse([chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''), chunkOf({}, 'tool_calls')]),
  );
  let answer = '';
  const ms = await coreMsOf(async () => {
    answer = await (await test.ask(row, { stream: true })).text();
  });
  expect(answer).toContain('"c19999"');
  expect(ms).toBeLessThan(12_000);
}, 90_000);
