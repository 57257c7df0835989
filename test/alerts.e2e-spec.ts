import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Alert } from '../src/alerts/alert.types.js';
import { AlertRetentionService } from '../src/alerts/alert-log.service.js';
import { AlertsService } from '../src/alerts/alerts.service.js';
import type { HealthChange } from '../src/upstreams/target-health.service.js';
import { TargetHealthService } from '../src/upstreams/target-health.service.js';
import { AlertReceiver } from './support/alert-receiver.js';
import { eventually } from './support/eventually.js';
import { createMigratedDatabase } from './support/test-database.js';
import { TestGateway } from './support/test-gateway.js';

const SECRET = 'a secret of the receiver';

let gateways: TestGateway[] = [];

const receiver = await AlertReceiver.start();
const database = await createMigratedDatabase();
const env = { SIMULATOR: 'on', ALERT_WEBHOOK_URL: receiver.url, ALERT_WEBHOOK_SECRET: SECRET };
gateways = [await TestGateway.start({ env, database }), await TestGateway.start({ env, database })];
beforeEach(() => {
  receiver.received = [];
  receiver.answers = [];
});

/** From every gateway at the same time. */
function alertAll(alert: Alert): void {
  for (const { services } of gateways) services.get(AlertsService).alert(alert);
}

/** Waits until all written alerts are sent. */
async function allSent(alerts: number): Promise<void> {
  await eventually(async () => {
    const [{ n, sent } = {}] = await database.query(
      'SELECT count(*)::int AS n, count(sent_at)::int AS sent FROM alerts',
    );
    return n === alerts && sent === alerts;
  }, 20_000);
}

const bodies = () => receiver.bodies();
const crossing: Alert = {
  type: 'budget_80',
  subject: 'ada@example.com',
  text: 'ada@example.com has spent 80 % of the budget of this month.',
  topic: 'budget:user:1:month:2026-11:80',
};

describe('an alert', () => {
  it('is sent and signed once, even if several processes report the same', async () => {
    alertAll(crossing);
    alertAll(crossing);
    await allSent(1);
    const { type, subject, text: reported } = crossing;
    expect(bodies()).toEqual([{ type, subject, text: reported, at: expect.stringMatching(/^\d{4}-.*Z$/) }]);
    const [{ signature = '', body = '' } = {}] = receiver.received;
    const [, seconds = ''] = /^t=(\d+),v1=[0-9a-f]{64}$/.exec(signature) ?? [];
    expect(Math.abs(Number(seconds) - Date.now() / 1000)).toBeLessThan(60);
    const digest = createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex');
    expect(signature).toBe(`t=${seconds},v1=${digest}`);
  });

  it('is sent again when the state of its topic has changed', async () => {
    const target = { upstream: 'openai', key: null, model: 'gpt' };
    const change = (gateway: TestGateway | undefined, one: HealthChange) =>
      gateway?.services.get(TargetHealthService).changes.next(one);
    const [one, other] = gateways;
    change(one, { ...target, kind: 'aside', reason: 'failing' });
    await allSent(2);
    change(other, { ...target, kind: 'aside', reason: 'failing' });
    change(other, { ...target, kind: 'back', reason: null });
    await allSent(3);
    expect(bodies()).toMatchObject([
      { type: 'target_aside', subject: 'openai', text: expect.stringContaining('openai (gpt) failed too often') },
      { type: 'target_back', subject: 'openai' },
    ]);
  });

  it('is retried with the same id until the receiver accepts it', async () => {
    receiver.answers = [500, 302, 200];
    alertAll({ type: 'target_aside', subject: 'openai', text: 'openai is set aside.', topic: 'target:other' });
    await allSent(4);
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
  });

  it('reports an untrusted certificate once an hour', async () => {
    const change = { kind: 'aside', reason: 'certificate' } as const;
    const aside = { ...change, upstream: 'groq', key: null, model: null };
    for (const { services } of gateways) services.get(TargetHealthService).changes.next(aside);
    await allSent(5);
    const text = expect.stringContaining('The certificate of groq is not trusted');
    expect(bodies()).toEqual([expect.objectContaining({ type: 'target_aside', subject: 'groq', text })]);
  });

  it('an alert without a topic is sent each time, also without the database', async () => {
    const alert: Alert = { type: 'over_ceiling', subject: 'openai', text: 'openai used more than it was told.' };
    gateways[0]?.services.get(AlertsService).alert(alert);
    gateways[0]?.services.get(AlertsService).alert(alert);
    await allSent(7);
    expect(bodies()).toMatchObject([alert, alert]);
    gateways[1]?.services.get(AlertsService).alertWithoutDatabase({ ...alert, type: 'ledger_down' });
    await allSent(8);
    expect(bodies().at(-1)).toMatchObject({ type: 'ledger_down' });
  });

  it('is deleted after its retention, but the topic of a total budget stays', async () => {
    const total = 'budget:user:1:total:ever:80:1';
    await database.query("UPDATE alerts SET at = at - interval '40 days'");
    alertAll({ ...crossing, topic: total });
    await eventually(
      async () => (await database.query('SELECT FROM alert_topics WHERE topic = $1', [total])).length > 0,
    );
    await database.query("UPDATE alert_topics SET since = since - interval '80 days'");
    await gateways[0]?.services.get(AlertRetentionService).forgetOld();
    expect(await database.query('SELECT subject FROM alerts')).toEqual([{ subject: crossing.subject }]);
    expect(await database.query('SELECT topic FROM alert_topics')).toEqual([{ topic: total }]);
  });
});
