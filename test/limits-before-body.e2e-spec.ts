import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import { completion } from './support/chat-answers.js';
import { ChatTest, QUESTION } from './support/chat-test.js';
import { eventually } from './support/eventually.js';
import { expectRefusal } from './support/limit-replies.js';
import type { TestUser } from './support/test-gateway.js';

const chat = await ChatTest.start();

/** The reply to a request whose body never arrives. */
async function answerToHead(user: TestUser): Promise<string> {
  const { hostname, port } = new URL(chat.gateway.url);
  const socket = connect(Number(port), hostname);
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: ${user.headers.authorization}\r\n`;
  socket.write(`${head}content-type: application/json\r\ncontent-length: 1000000\r\n\r\n{"model":`);
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return data.toString('latin1');
}

async function limitedUser(requestsPerMinute: number): Promise<TestUser> {
  const user = await chat.gateway.createUser();
  await chat.gateway.services.get(UserLimitsService).set(user.id, { requestsPerMinute }, GATEWAY);
  return user;
}

describe('a caller that the process knows to be out of requests', () => {
  it('is rejected before its body is read, until it has a request again', async () => {
    const user = await limitedUser(1);
    chat.upstream.enqueue(completion());
    expect((await chat.gateway.complete(user, QUESTION)).status).toBe(200);
    await expectRefusal(await chat.gateway.complete(user, QUESTION), 'rate_limit_exceeded', /1 request a minute/);
    const answer = await answerToHead(user);
    expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    expect(answer).toMatch(/x-ratelimit-remaining-requests: 0\r\n/i);
    expect(answer).toMatch(/retry-after: [1-9]\d*\r\n/i);
    expect(answer).toContain('rate_limit_exceeded');
    const raised = chat.gateway.services.get(UserLimitsService);
    await raised.set(user.id, { requestsPerMinute: 100 }, GATEWAY);
    chat.upstream.always(() => completion());
    await eventually(async () => (await chat.gateway.complete(user, QUESTION)).status === 200);
  });

  it('is rejected the same way with a limit of zero', async () => {
    const answer = await answerToHead(await limitedUser(0));
    expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    expect(answer).toMatch(/x-should-retry: false\r\n/i);
  });
});
