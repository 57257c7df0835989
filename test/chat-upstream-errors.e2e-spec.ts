import { describe, expect, it } from '@jest/globals';
import { chunkOf } from './support/chat-answers.js';
import { ChatTest, UPSTREAM_KEY } from './support/chat-test.js';
import { expectError } from './support/error-reply.js';
import { schemaFaults } from './support/openai-schema.js';
import { json, reply, reset, type Script, sse } from './support/script.js';

const chat = await ChatTest.start();

const SECRET_WORDS = 'The upstream says why.';

function error(status: number, fields: object = {}, headers: Record<string, string> = {}): Script {
  return json(
    status,
    { error: { message: SECRET_WORDS, type: 'some_error', param: null, code: null, ...fields } },
    headers,
  );
}

const ours = { status: 502, type: 'server_error', code: 'upstream_error' };
const busy = { status: 503, type: 'server_error', code: 'overloaded' };
const late = { status: 504, type: 'server_error', code: 'upstream_timeout' };
const limited = { status: 429, type: 'requests', code: 'upstream_rate_limited' };
const wrong = { status: 400, code: 'invalid_value' };

/** Headers that tell clients whether to retry. */
interface Advice {
  shouldRetry: string | null;
  retryAfter: string | null;
}

const withoutAdvice: Advice = { shouldRetry: null, retryAfter: null };
const mustNot: Advice = { shouldRetry: 'false', retryAfter: null };
const wait = (retryAfter: string): Advice => ({ shouldRetry: null, retryAfter });
const mustNotWithin = (retryAfter: string): Advice => ({ shouldRetry: 'false', retryAfter });

describe('an upstream’s failure becomes the caller’s error, for JSON and for a stream', () => {
  it.each<[string, Script, Parameters<typeof expectError>[1], Advice]>([
    ['400', error(400), wrong, withoutAdvice],
    ['422', error(422), wrong, withoutAdvice],
    ['413', error(413), { status: 413, code: 'request_too_large' }, withoutAdvice],
    ['401', error(401), ours, mustNot],
    ['402', error(402), ours, mustNot],
    ['403', error(403), ours, mustNot],
    ['404', error(404), ours, mustNot],
    ['429 for a spent quota', error(429, { code: 'insufficient_quota' }), ours, mustNot],
    ['429', error(429), limited, wait('1')],
    ['429 with Retry-After', error(429, {}, { 'retry-after': '30' }), limited, wait('30')],
    ['429 for days', error(429, {}, { 'retry-after': '86400' }), limited, wait('3600')],
    ['429 for no time', error(429, {}, { 'retry-after': '0' }), limited, wait('1')],
    ['408', error(408), late, mustNot],
    ['504', error(504), late, mustNot],
    ['529', error(529), busy, mustNotWithin('1')],
    ['503', error(503, {}, { 'retry-after': '2' }), busy, mustNotWithin('2')],
    ['503 with a long Retry-After', error(503, {}, { 'retry-after': '50' }), busy, wait('50')],
    [
      '503 with a Retry-After of which SDKs take none',
      error(503, {}, { 'retry-after': '90' }),
      busy,
      mustNotWithin('90'),
    ],
    ['500', error(500), ours, mustNot],
    ['502 as a page', reply(502, { 'content-type': 'text/html' }, '<html>nginx</html>'), ours, mustNot],
    ['409', error(409), ours, mustNot],
    ['501 without a body', reply(501), ours, mustNot],
    ['a reset', reset(), { ...ours, code: 'upstream_unreachable' }, mustNot],
  ])('%s', async (_what, script, expected, advice) => {
    for (const stream of [false, true]) {
      chat.upstream.enqueue(script);
      const response = await chat.ask({ stream });
      const { message, headers } = await expectError(response, expected);
      expect({ shouldRetry: headers.get('x-should-retry'), retryAfter: headers.get('retry-after') }).toEqual(advice);
      expect(message.includes(SECRET_WORDS)).toBe(expected.status === 400);
      expect(message).not.toContain('nginx');
      expect(headers.get('www-authenticate')).toBeNull();
      expect(await chat.row(response)).toMatchObject({
        status: 'failed',
        error_code: expected.code,
        output_tokens: '0',
      });
    }
  });

  it.each([
    ['gpt-6-luna', { code: 'context_length_exceeded', message: 'Too long.' }],
    ['gpt-oss-20b', { message: 'Please reduce the length of the messages or completion.' }],
    ['deepseek-v4.1-flash', { message: "This model's maximum context length is 131072 tokens." }],
  ])('a context that is too long for %s is reported as such, for the messages', async (model, fields) => {
    chat.upstream.enqueue(error(400, fields));
    await expectError(await chat.ask({ model }), { status: 400, code: 'context_length_exceeded', param: 'messages' });
  });

  it('rejected content is reported as such', async () => {
    chat.upstream.enqueue(error(400, { code: 'content_filter' }));
    await expectError(await chat.ask(), { status: 400, code: 'content_filter' });
  });

  it("the field has the caller's name for it", async () => {
    chat.upstream.enqueue(error(400, { param: 'max_completion_tokens' }));
    await expectError(await chat.ask({ max_tokens: 5 }), { ...wrong, param: 'max_tokens' });
  });
});

describe('the message of an upstream’s 400', () => {
  async function reported(message: string, model = 'mistral-small-4'): Promise<string> {
    chat.upstream.enqueue(json(400, { error: { message } }));
    const { error: body } = (await (await chat.ask({ model })).json()) as { error: { message: string } };
    expect(schemaFaults('error', { error: body })).toEqual([]);
    return body.message;
  }

  it('has the public model name instead of the upstream’s', async () => {
    expect(await reported('The model mistral-small-2603 has no tools.')).toBe(
      'The model mistral-small-4 has no tools.',
    );
  });

  it.each([
    ['the gateway’s key', `Bad key ${UPSTREAM_KEY}!`, UPSTREAM_KEY],
    ['a shortened key', 'Incorrect API key provided: sk-up***9c.', 'sk-up'],
    ['an organisation', 'In organization org-AbCdEf123456 on tokens', 'AbCdEf'],
    ['a bearer token', 'Header was Bearer abcdefgh12345678', 'abcdefgh'],
  ])('does not contain %s', async (_what, message, secret) => {
    const shown = await reported(message);
    expect(shown).not.toContain(secret);
    expect(shown).toContain(message.slice(0, 3));
  });

  it.each(['param', 'code', 'type'])(
    'the message of an upstream’s 400 and all other texts of it are sanitized: `%s`',
    async (field) => {
      const own = { error: { message: 'No.', [field]: `a.${UPSTREAM_KEY}.b` } };
      for (const stream of [false, true]) {
        chat.upstream.enqueue(json(400, own, { 'x-request-id': UPSTREAM_KEY }));
        const response = await chat.ask({ stream });
        expect(response.status).toBe(400);
        expect(await response.text()).not.toContain(UPSTREAM_KEY);
        expect(JSON.stringify(await chat.row(response))).not.toContain(UPSTREAM_KEY);
      }
      chat.upstream.enqueue(sse([chunkOf({ content: 'a' }), { error: { ...own.error, status: 400 } }]));
      const streamed = await chat.ask({ stream: true });
      const text = await streamed.text();
      expect(text).toContain('"error"');
      expect(text).not.toContain(UPSTREAM_KEY);
      expect(JSON.stringify(await chat.row(streamed))).not.toContain(UPSTREAM_KEY);
      expect(JSON.stringify(chat.gateway.log)).not.toContain(UPSTREAM_KEY);
    },
  );

  it('is cut at 1 kB', async () => {
    expect(await reported('x'.repeat(100_000))).toHaveLength(1000);
  });

  it('is not the text of a web page', async () => {
    chat.upstream.enqueue(reply(400, { 'content-type': 'text/html' }, '<html><h1>Secret host</h1></html>'));
    const { message } = await expectError(await chat.ask(), wrong);
    expect(message).not.toMatch(/html|host/);
  });

  it('is logged with at most 500 characters, and without the key', async () => {
    await reported(`A word of theirs, and ${UPSTREAM_KEY}`);
    const log = JSON.stringify(chat.gateway.log);
    expect(log).not.toContain(UPSTREAM_KEY);
    expect(chat.gateway.log.at(-2)).toMatchObject({
      upstream: 'mistral',
      upstreamStatus: 400,
      upstreamMessage: 'A word of theirs, and [removed]',
      code: 'invalid_value',
    });
    await reported('x'.repeat(100_000));
    expect(String(chat.gateway.log.at(-2)?.upstreamMessage)).toHaveLength(500);
  });
});
