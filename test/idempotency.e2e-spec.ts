import { beforeEach, describe, expect, it } from '@jest/globals';
import { completion, refusal, stream } from './support/chat-answers.js';
import { ChatTest, QUESTION } from './support/chat-test.js';
import { eventually } from './support/eventually.js';
import { gate, hang, reset } from './support/script.js';
import { StreamReader } from './support/stream-reader.js';
import { TestGateway } from './support/test-gateway.js';

let keys = 0;
let key: string;

const chat = await ChatTest.start({
  settings: 'retry: { attempts: 1 }\nidempotency: { maxAnswer: 4kb }\nstream: { commitAfter: 50ms, heartbeat: 50ms }',
});
const env = { OPENAI_BASE_URL: `${chat.upstream.url}/v1`, OPENAI_API_KEY: 'sk-test' };
const other = await TestGateway.start({ database: chat.gateway.database, env });
beforeEach(() => {
  key = `key-${++keys}`;
});

const named = (name = key) => ({ headers: { 'idempotency-key': name } });
const withoutHeartbeats = (text: string) => text.replaceAll(': ping\n\n', '');
const ask = (fields: object = {}, name = key) => chat.ask(fields, named(name));
const requested = () => chat.upstream.requests.length;
const rows = async () => (await chat.gateway.calls()).length;

const IN_PROGRESS = { error: { type: 'invalid_request_error', param: null, code: 'idempotency_in_progress' } };
const REUSED = { error: { type: 'invalid_request_error', param: null, code: 'idempotency_key_reused' } };
const ANSWER_NOT_STORED = {
  error: { type: 'invalid_request_error', param: null, code: 'idempotency_answer_not_kept' },
};

describe('a repeat with the same Idempotency-Key', () => {
  it.each([
    ['JSON', { stream: false }, completion()],
    ['a stream', { stream: true, stream_options: { include_usage: true } }, stream()],
  ])('gets the same bytes: %s', async (_what, fields, script) => {
    chat.upstream.enqueue(script);
    const first = await ask(fields);
    // When the ledger is slow, the first one has heartbeats.
    const bytes = withoutHeartbeats(await first.text());
    expect(first.headers.get('x-gateway-idempotent-replay')).toBeNull();
    const before = [requested(), await rows()];
    const again = await ask(fields);
    expect(again.status).toBe(200);
    expect(await again.text()).toBe(bytes);
    expect(again.headers.get('x-gateway-idempotent-replay')).toBe('true');
    expect(again.headers.get('x-gateway-attempts')).toBe('0');
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect([requested(), await rows()]).toEqual(before);
  });

  it('gets them from another gateway, too', async () => {
    chat.upstream.enqueue(completion());
    const bytes = await (await ask()).text();
    const there = await other.complete(chat.pro, QUESTION, named());
    expect([there.headers.get('x-gateway-idempotent-replay'), await there.text()]).toEqual(['true', bytes]);
  });

  it('a repeat with the same Idempotency-Key of a stream has no heartbeats of the first reply', async () => {
    const { promise: paused, resolve: goOn } = Promise.withResolvers<void>();
    chat.upstream.enqueue(stream(['Hello', gate(paused), ' there!']));
    let text = '';
    for await (const piece of (await ask({ stream: true })).body ?? []) {
      text += Buffer.from(piece).toString();
      if (text.includes(': ping')) goOn();
    }
    expect(text).toContain(': ping');
    expect(await (await ask({ stream: true })).text()).toBe(withoutHeartbeats(text));
  });

  it('can format the same JSON differently', async () => {
    chat.upstream.enqueue(completion());
    await (await ask({ temperature: 1, metadata: { a: '1', b: '2' } })).text();
    const body = `{"metadata": {"b":"2", "a":"1"}, "temperature": 1.0,
      "messages": ${JSON.stringify(QUESTION.messages)}, "model": "gpt-6-luna"}`;
    const again = await fetch(`${chat.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...chat.pro.headers, 'content-type': 'application/json', 'idempotency-key': key },
      body,
    });
    expect(again.headers.get('x-gateway-idempotent-replay')).toBe('true');
  });

  it.each([
    ['a field', { temperature: 0.5 }],
    ['stream', { stream: true }],
  ])(
    'a repeat with the same Idempotency-Key but with another request is rejected: %s differs',
    async (_what, fields) => {
      chat.upstream.enqueue(completion());
      await (await ask()).text();
      const response = await ask(fields);
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject(REUSED);
    },
  );

  it('is rejected while the first is running, by both gateways', async () => {
    chat.upstream.enqueue(stream(['Hello', hang()]));
    const reader = new StreamReader(await ask({ stream: true }));
    await reader.until((event) => event.includes('Hello'));
    for (const gateway of [chat.gateway, other]) {
      const response = await gateway.complete(chat.pro, { ...QUESTION, stream: true }, named());
      expect(response.status).toBe(409);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await response.json()).toMatchObject(IN_PROGRESS);
    }
    await reader.leave();
  });

  it('is rejected when the answer was too large to store', async () => {
    chat.upstream.enqueue(completion('x'.repeat(5000)));
    await (await ask()).text();
    const response = await ask();
    expect(response.status).toBe(409);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await response.json()).toMatchObject(ANSWER_NOT_STORED);
  });
});

describe('an Idempotency-Key can be used again', () => {
  const worksNow = async (fields: object) => {
    chat.upstream.enqueue(fields && 'stream' in fields ? stream() : completion());
    const response = await ask(fields);
    expect([response.status, response.headers.get('x-gateway-idempotent-replay')]).toEqual([200, null]);
    await response.text();
  };

  it('an Idempotency-Key can be used again after a call that failed', async () => {
    chat.upstream.enqueue(refusal(500));
    expect((await ask()).status).toBe(502);
    await worksNow({});
  });

  it('an Idempotency-Key can be used again after a stream that broke after its first chunk', async () => {
    chat.upstream.enqueue(stream(['Hello', reset()]));
    expect(await (await ask({ stream: true })).text()).toContain('"error"');
    await worksNow({ stream: true });
  });

  it('an Idempotency-Key can be used again after a call whose client disconnected', async () => {
    chat.upstream.enqueue(stream(['Hello', hang()]));
    const reader = new StreamReader(await ask({ stream: true }));
    await reader.until((event) => event.includes('Hello'));
    await reader.leave();
    chat.upstream.enqueue(stream());
    const response = await eventually(async () => {
      const answer = await ask({ stream: true });
      return answer.status === 409 ? null : answer;
    });
    expect([response.status, response.headers.get('x-gateway-idempotent-replay')]).toEqual([200, null]);
    await response.text();
  });

  it('an Idempotency-Key can be used again after a request that was rejected for its body', async () => {
    expect((await ask({ temperature: 'hot' })).status).toBe(400);
    await worksNow({});
  });

  it('an Idempotency-Key can be used again after 24 hours', async () => {
    chat.upstream.enqueue(completion());
    await (await ask()).text();
    const { database } = chat.gateway;
    const [stored] = await database.query(
      `SELECT extract(epoch FROM max(expires_at) - now()) / 3600 AS hours FROM idempotent_calls`,
    );
    expect(Number(stored?.hours)).toBeCloseTo(24, 1);
    await database.query(`UPDATE idempotent_calls SET expires_at = now()`);
    await worksNow({});
  });

  it('an Idempotency-Key can be used again as soon as the database recovers, after a call that failed during an outage', async () => {
    const { database } = chat.gateway;
    const { promise: paused, resolve: goOn } = Promise.withResolvers<void>();
    chat.upstream.enqueue([gate(paused), refusal(500)]);
    const failing = ask();
    await chat.upstream.received(requested() + 1);
    await database.query('ALTER TABLE idempotent_calls RENAME TO out_of_reach');
    goOn();
    expect((await failing).status).toBe(502);
    await database.query('ALTER TABLE out_of_reach RENAME TO idempotent_calls');
    expect((await ask()).status).toBe(409);
    await eventually(
      async () => (await database.query("SELECT 1 FROM idempotent_calls WHERE status = 'running'")).length === 0,
    );
    await worksNow({});
  });

  it('an Idempotency-Key can be used again when the process that held it is gone', async () => {
    chat.upstream.enqueue(completion());
    await (await ask()).text();
    const { database } = chat.gateway;
    await database.query(`UPDATE idempotent_calls SET status = 'running', answer = NULL, instance_id = 4711`);
    await worksNow({});
  });
});

describe('an Idempotency-Key', () => {
  it('applies to one API key only', async () => {
    chat.upstream.enqueue(completion('mine')).enqueue(completion('yours'));
    await (await ask()).text();
    const theirs = await chat.gateway.complete(chat.free, QUESTION, named());
    expect(await theirs.text()).toContain('yours');
  });

  it('is answered once for two simultaneous requests at two gateways', async () => {
    const before = requested();
    chat.upstream.always(() => completion());
    const names = Array.from({ length: 40 }, (_, index) => `${key}-${index}`);
    const answers = await Promise.all(
      names.flatMap((name) =>
        [chat.gateway, other].map((gateway) => gateway.complete(chat.pro, QUESTION, named(name))),
      ),
    );
    expect(requested() - before).toBe(names.length);
    for (const [index, name] of names.entries()) {
      const pair = answers.slice(2 * index, 2 * index + 2);
      const bodies = await Promise.all(pair.filter(({ status }) => status === 200).map((answer) => answer.text()));
      expect(pair.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
      bodies.push(await (await ask({}, name)).text());
      expect(new Set(bodies).size).toBe(1);
    }
    expect(requested() - before).toBe(names.length);
  });

  it.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['with a character that is not ASCII', 'sch\u00f6n'],
  ])('an Idempotency-Key that is invalid is rejected: %s', async (_what, name) => {
    const response = await ask({}, name);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_value', param: null } });
  });

  it('can have 255 characters', async () => {
    chat.upstream.enqueue(completion());
    expect((await ask({}, 'k'.repeat(255))).status).toBe(200);
  });

  it('is deleted by a starting gateway after its expiry', async () => {
    chat.upstream.enqueue(completion());
    await (await ask()).text();
    const { database } = chat.gateway;
    await database.query(`UPDATE idempotent_calls SET expires_at = now() WHERE status = 'kept'`);
    const third = await TestGateway.start({ database });
    await eventually(
      async () => (await database.query(`SELECT 1 FROM idempotent_calls WHERE status = 'kept'`)).length === 0,
    );
    await third.stop();
  });

  it('has no effect with `retention: 0`', async () => {
    const off = await TestGateway.start({ config: { 'gateway.yaml': 'idempotency: { retention: 0 }' } });
    const user = await off.createUser();
    const ids = [];
    for (let time = 0; time < 2; time++) {
      const answer = (await (await off.complete(user, QUESTION, named())).json()) as { id: string };
      ids.push(answer.id);
    }
    expect(new Set(ids).size).toBe(2);
  });
});
