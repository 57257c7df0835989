import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ContentCipher } from '../src/content-log/content-log.service.js';
import { type ApiRow, CALL_TABLE } from './support/api-table.js';
import { ApiTest } from './support/api-test.js';
import { eventually } from './support/eventually.js';
import {
  type AnswerAt,
  CHAT_ANSWERS,
  MESSAGES_ANSWERS,
  ONLY_CHAT_ANSWERS,
  RESPONSES_ANSWERS,
  TEXT_ANSWERS,
  textsOfStream,
} from './support/guarded-answers.js';

/** Short: a stream is cut at each of its characters. */
const CANARY = 'canary@ab.co';
const WORD = 'xylograph';
const KEY = randomBytes(32);

const test = await ApiTest.start(
  `
guards:
  masking: { detect: [email], on: [answer], do: mask }
  blocking: { words: { secrets: [${WORD}] }, on: [answer] }
  reporting: { patterns: { ticket: 'TICKET-[0-9]{4}' }, on: [answer], do: report }
guardsForAll: [masking, blocking, reporting]
cacheByHeader: true
retry: { attempts: 1 }`,
  { CONTENT_LOG_KEY: KEY.toString('base64') },
);
await test.gateway.database.query('UPDATE api_keys SET logs_content = true');

const POSITIONS: Readonly<Record<string, Readonly<Record<string, AnswerAt>>>> = {
  chat: { ...CHAT_ANSWERS, ...ONLY_CHAT_ANSWERS },
  'translated Responses': CHAT_ANSWERS,
  'translated Messages': CHAT_ANSWERS,
  'native Responses': RESPONSES_ANSWERS,
  'native Messages': MESSAGES_ANSWERS,
  'text completions': TEXT_ANSWERS,
};

const CASES = CALL_TABLE.flatMap(([name, row]) =>
  Object.entries(POSITIONS[name] ?? {}).map(([position, answer]) => [`${position} of ${name}`, row, answer] as const),
);
/** Where reasoning is only shown on request. */
const SHOWN: Readonly<Record<string, object>> = {
  responses: { reasoning: { summary: 'auto' } },
  messages: { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 4000 },
};
/** Tool inputs are JSON; elsewhere it is a text as any. */
const written = (text: string) => JSON.stringify({ to: text });
const cuts = (text: string, match: string) => {
  const start = text.indexOf(match);
  return Array.from({ length: match.length + 1 }, (_, at) => [text.slice(0, start + at), text.slice(start + at)]);
};
let questions = 0;
const ask = async (row: ApiRow, stream: boolean) => {
  const question = { ...row.client.question(row.model, `Question ${++questions}`), ...SHOWN[row.client.api] };
  const headers = { 'x-gateway-cache': 'on' };
  const response = await test.ask(row, { ...question, ...(stream && { stream }) }, { headers });
  return { response, body: await response.text() };
};

describe.each(CASES)('A guard of answers at the %s', (_name, row, answer) => {
  it('masks what it finds, whole and wherever a stream is cut', async () => {
    test.a.enqueue(answer.whole(written(`Write ${CANARY} now`)));
    const { response, body } = await ask(row, false);
    expect({ status: response.status, body }).toMatchObject({ status: 200 });
    expect(body).toContain('Write [EMAIL_1] now');
    expect(body).not.toContain('canary');
    expect(response.headers.get('x-gateway-guards')).toBe('masking=mask:1');
    for (const pieces of cuts(written(`Write ${CANARY} now`), CANARY)) {
      test.a.enqueue(answer.stream(pieces));
      const { body: sse } = await ask(row, true);
      const texts = [...textsOfStream(sse).values()];
      expect([pieces, texts.filter((text) => text.includes('canary'))]).toEqual([pieces, []]);
      expect([pieces, texts.some((text) => text.includes('Write [EMAIL_1] now'))]).toEqual([pieces, true]);
    }
  });

  it('ends the answer before what it blocks, whole and wherever a stream is cut', async () => {
    test.a.enqueue(answer.whole(written(`See ${WORD}, OK`)));
    const { response, body } = await ask(row, false);
    expect({ status: response.status, body }).toMatchObject({ status: 200 });
    expect(body).toMatch(/"content_filter"|"stop_reason":"refusal"/);
    expect(body).not.toMatch(/xy|, OK/);
    const filtered = { status: 'settled', http_status: 200, finish_reason: 'content_filter', output_tokens: '3' };
    expect(await test.row(response)).toMatchObject(filtered);
    for (const pieces of cuts(written(`See ${WORD}, OK`), WORD)) {
      test.a.enqueue(answer.stream(pieces));
      const { body: sse } = await ask(row, true);
      expect(sse).toMatch(/"content_filter"|"stop_reason":"refusal"/);
      expect([pieces, [...textsOfStream(sse).values()].filter((text) => /xy|, OK/.test(text))]).toEqual([pieces, []]);
    }
  });

  it('reports what it finds and changes nothing', async () => {
    test.a.enqueue(answer.whole(written('See TICKET-1234, OK')));
    const { response, body } = await ask(row, false);
    expect(response.headers.get('x-gateway-guards')).toBe('reporting=report:1');
    expect(body).toContain('See TICKET-1234, OK');
    test.a.enqueue(answer.stream([...written('See TICKET-1234, OK')]));
    const { response: streamed, body: sse } = await ask(row, true);
    expect([...textsOfStream(sse).values()].some((text) => text.includes('See TICKET-1234, OK'))).toBe(true);
    const hits = await eventually(async () => {
      const id = streamed.headers.get('x-request-id');
      const rows = await test.gateway.database.query(
        'SELECT guard, action, side, count FROM guard_hits WHERE request_id = $1',
        [id],
      );
      return rows.length > 0 && rows;
    });
    expect(hits).toEqual([{ guard: 'reporting', action: 'report', side: 'answer', count: 1 }]);
  });
});

describe('What guards removed from answers', () => {
  const decrypted = async (sql: string, boundTo: (row: Sealed) => string) => {
    const rows = await test.gateway.database.query<Sealed>(sql);
    const cipher = new ContentCipher([KEY]);
    return Promise.all(rows.map(async (row) => String(await cipher.open(boundTo(row), row))));
  };
  interface Sealed {
    readonly id: string;
    readonly key: Buffer;
    readonly form: string;
    readonly secretId: string;
    readonly bytes: Buffer;
  }

  it('is nowhere in the content log, the cache, the rest of the database and the log', async () => {
    await eventually(async () => {
      const [row] = await test.gateway.database.query<{ n: number }>('SELECT count(*)::int AS n FROM cache_claims');
      return row?.n === 0;
    });
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const cached = await decrypted(
      'SELECT key, form, secret_id AS "secretId", content AS bytes FROM cached_answers',
      ({ key, form }) => `cache/${form}/${key.toString('base64')}`,
    );
    expect(cached.filter((text) => text.includes('[EMAIL_1]')).length).toBeGreaterThan(CASES.length);
    const logged = await decrypted(
      'SELECT call_id AS id, secret_id AS "secretId", content AS bytes FROM call_contents',
      ({ id }) => id,
    );
    expect(logged.length).toBeGreaterThan(CASES.length * 20);
    for (const text of [...cached, ...logged]) expect(text).not.toMatch(/canary|xylograph/);
    expect(cached.filter((text) => text.includes('content_filter'))).toEqual([]);
    const log = test.gateway.log.filter((line) => /canary|xylograph/.test(JSON.stringify(line)));
    expect(log).toEqual([]);
    const tables = await test.gateway.database.query<{ name: string }>(
      "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
    );
    for (const { name } of tables) {
      const found = await test.gateway.database.query(
        `SELECT FROM ${name} AS one WHERE one::text ILIKE '%canary@ab%' OR one::text ILIKE '%xylograph%' LIMIT 1`,
      );
      expect([name, found]).toEqual([name, []]);
    }
  });
});
