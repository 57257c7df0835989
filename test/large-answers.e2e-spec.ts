import { beforeAll, describe, expect, it } from '@jest/globals';
import { completion } from './support/chat-answers.js';
import { GatewayProcess } from './support/gateway-process.js';
import { bytes, gate, head, reply, type Script } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { createMigratedDatabase } from './support/test-database.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const MB = 1024 * 1024;
const QUESTION = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hi' }] };
const TEXT = 'word '.repeat(2 * MB);
const JSON_TYPE = { 'content-type': 'application/json' };

/** The whole answer, or its first half until the gate opens. */
function large(opened?: Promise<void>): Script {
  const message = { role: 'assistant', content: TEXT, refusal: null };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const body = JSON.stringify({ id: 'a', choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
  if (!opened) return reply(200, JSON_TYPE, body);
  const half = body.length / 2;
  const length = { ...JSON_TYPE, 'content-length': String(body.length) };
  return [head(200, length), bytes(body.slice(0, half)), gate(opened), bytes(body.slice(half))];
}

describe('large answers', () => {
  let upstream: ScriptedUpstream;
  let gateway: TestGateway;
  let user: TestUser;
  let other: TestUser;

  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    gateway = await TestGateway.start({ env: { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${upstream.url}/v1` } });
    user = await gateway.createUser();
    other = await gateway.createUser();
  });

  const lengthOf = async (response: Response) => (await response.text()).length;

  it('are read two at a time for an owner, and meanwhile for others and small ones', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const before = upstream.requests.length;
    upstream.always(() => large(opened));
    const first = [gateway.complete(user, QUESTION), gateway.complete(user, QUESTION)];
    await upstream.received(before + 2);
    await new Promise((resolve) => setTimeout(resolve, 500));
    upstream.always(() => large());
    let isThere = false;
    const third = gateway.complete(user, QUESTION).finally(() => {
      isThere = true;
    });
    await upstream.received(before + 3);
    expect(await lengthOf(await gateway.complete(other, QUESTION))).toBeGreaterThan(TEXT.length);
    upstream.always(() => completion());
    expect((await gateway.complete(user, QUESTION)).status).toBe(200);
    expect(isThere).toBe(false);
    open();
    for (const response of [...first, third]) expect(await lengthOf(await response)).toBeGreaterThan(TEXT.length);
  });

  it('are not kept waiting by callers who left, with or without a place', async () => {
    const before = upstream.requests.length;
    upstream.always(() => large(new Promise(() => undefined)));
    const left = Array.from({ length: 3 }, () => new AbortController());
    const calls = left.map(({ signal }) => gateway.complete(user, QUESTION, { signal }));
    await upstream.received(before + 3);
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (const one of left) one.abort();
    for (const call of calls) await expect(call).rejects.toThrow();
    upstream.always(() => large());
    for (let count = 0; count < 3; count++) expect((await gateway.complete(user, QUESTION)).status).toBe(200);
  });
});

describe('many large answers at the same time', () => {
  let gateway: GatewayProcess;

  beforeAll(async () => {
    const logprob = { token: 'word', logprob: -0.1, bytes: [119, 111, 114, 100] };
    const content = Array.from({ length: 3500 }, () => ({ ...logprob, top_logprobs: Array(20).fill(logprob) }));
    const message = { role: 'assistant', content: 'word', refusal: null };
    const choices = Array.from({ length: 12 }, (_, index) => {
      return { index, finish_reason: 'stop', message, logprobs: { refusal: null, content } };
    });
    const usage = { prompt_tokens: 1, completion_tokens: 42_000, total_tokens: 42_001 };
    const answer = reply(200, JSON_TYPE, JSON.stringify({ id: 'a', choices, usage }));
    const upstream = (await ScriptedUpstream.start()).always(() => answer);
    const { url: DATABASE_URL } = await createMigratedDatabase();
    const env = { DATABASE_URL, OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${upstream.url}/v1` };
    gateway = await GatewayProcess.start({ env: { ...env, NODE_OPTIONS: '--max-old-space-size=512' } });
  });

  it('do not crash a gateway with a small heap, and all arrive', async () => {
    const key = await gateway.createKey();
    const answers = Array.from({ length: 8 }, async () => {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, ...JSON_TYPE },
        body: JSON.stringify({ ...QUESTION, n: 12, logprobs: true, top_logprobs: 20 }),
      });
      const size = (await response.arrayBuffer()).byteLength;
      return response.status === 200 && size > 40 * MB;
    });
    expect(await Promise.all(answers)).toEqual(answers.map(() => true));
    expect(gateway.child.exitCode).toBeNull();
  }, 240_000);
});
