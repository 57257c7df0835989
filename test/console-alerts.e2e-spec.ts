import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AlertsService } from '../src/alerts/alerts.service.js';
import { AlertReceiver } from './support/alert-receiver.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { freePort } from './support/free-port.js';
import { TestGateway } from './support/test-gateway.js';

const ALERT = { type: 'target_aside', subject: 'openai', text: 'openai failed too often: it is set aside.' } as const;

async function first(admin: ConsoleClient) {
  const { body } = await admin.get('/api/alerts');
  return body.items[0];
}

describe('alerts in the console, with a webhook', () => {
  let receiver: AlertReceiver;
  let gateway: TestGateway;
  let admin: ConsoleClient;

  beforeAll(async () => {
    receiver = await AlertReceiver.start();
    gateway = await TestGateway.start({ env: { SIMULATOR: 'on', ALERT_WEBHOOK_URL: `${receiver.url}?token=hush` } });
    admin = await ConsoleClient.as(gateway, 'admin');
  });
  beforeEach(() => {
    receiver.received = [];
    receiver.answers = [];
    receiver.text = '';
  });

  it('are sent, and show the response of the webhook', async () => {
    receiver.text = 'thanks\n\u0000for\ttelling';
    gateway.services.get(AlertsService).alert(ALERT);
    await eventually(async () => (await first(admin))?.delivery === 'sent');
    expect(await first(admin)).toMatchObject({
      ...ALERT,
      attempts: 1,
      answerStatus: 200,
      answer: 'thanks for telling',
      triedAt: expect.stringMatching(/Z$/),
    });
  });

  it('are retried after a failure, which is shown meanwhile', async () => {
    receiver.answers = [500, 500];
    receiver.text = 'no such channel';
    gateway.services.get(AlertsService).alert({ ...ALERT, subject: 'groq' });
    await eventually(async () => {
      const { subject, delivery, answerStatus } = await first(admin);
      return subject === 'groq' && delivery === 'waiting' && answerStatus === 500;
    });
    expect(await first(admin)).toMatchObject({ answer: 'no such channel' });
    await eventually(async () => (await first(admin)).delivery === 'sent', 20_000);
    expect((await first(admin)).attempts).toBe(3);
  });

  it('can be tested: the response is returned, and the message is listed', async () => {
    receiver.text = 'ok';
    const reply = await admin.post('/api/alerts/test');
    expect(reply).toMatchObject({ status: 200, body: { ok: true, status: 200, answer: 'ok' } });
    expect(receiver.bodies()).toMatchObject([{ type: 'test', text: expect.stringContaining('A test message') }]);
    expect(await first(admin)).toMatchObject({ type: 'test', delivery: 'sent', attempts: 1 });
  });

  it('can be tested with a webhook that rejects them: it is called once', async () => {
    receiver.answers = [403];
    receiver.text = 'invalid_token';
    const reply = await admin.post('/api/alerts/test');
    expect(reply.body).toEqual({ ok: false, status: 403, answer: 'invalid_token' });
    expect(receiver.received).toHaveLength(1);
    expect(await first(admin)).toMatchObject({ type: 'test', delivery: 'failed', answerStatus: 403 });
  });

  it('show only the host of the webhook, because its address may be secret', async () => {
    const { body } = await admin.get('/api/alerts');
    expect(body.webhook).toEqual({ host: new URL(receiver.url).host, isSigned: false });
    expect(JSON.stringify(body)).not.toContain('hush');
  });

  it('come page by page, newest first', async () => {
    const alerts = gateway.services.get(AlertsService);
    for (let i = 0; i < 60; i++) alerts.alert({ ...ALERT, subject: `upstream-${i}` });
    await eventually(async () => (await first(admin)).subject === 'upstream-59');
    const { body: page } = await admin.get('/api/alerts');
    const { body: rest } = await admin.get(`/api/alerts?cursor=${page.next}`);
    const subjects = [...page.items, ...rest.items].map(({ subject }: { subject: string }) => subject);
    expect(page.items).toHaveLength(50);
    expect(subjects.slice(0, 60)).toEqual(Array.from({ length: 60 }, (_, i) => `upstream-${59 - i}`));
    expect((await admin.get('/api/alerts?cursor=x')).status).toBe(400);
  });

  it('are for administrators', async () => {
    const member = await ConsoleClient.as(gateway, 'member');
    expect((await member.get('/api/alerts')).status).toBe(403);
    expect((await member.post('/api/alerts/test')).status).toBe(403);
  });
});

describe('alerts in the console, without a response or a webhook', () => {
  it('show why there was no response', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    const gateway = await TestGateway.start({ env: { SIMULATOR: 'on', ALERT_WEBHOOK_URL: url } });
    const admin = await ConsoleClient.as(gateway, 'admin');
    const { body } = await admin.post('/api/alerts/test');
    expect(body).toEqual({ ok: false, status: null, answer: expect.stringContaining('ECONNREFUSED') });
  });

  it('are listed, although nothing is sent', async () => {
    const gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });
    const admin = await ConsoleClient.as(gateway, 'admin');
    gateway.services.get(AlertsService).alert(ALERT);
    await eventually(async () => (await first(admin))?.delivery === 'not_sent');
    expect((await admin.get('/api/alerts')).body.webhook).toBeNull();
    expect((await admin.post('/api/alerts/test')).body.error).toMatchObject({ code: 'no_webhook' });
  });
});
