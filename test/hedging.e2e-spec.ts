import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MetricsService } from '../src/telemetry/metrics.service.js';
import { completion, refusal, stream } from './support/chat-answers.js';
import { expectError } from './support/error-reply.js';
import { eventually } from './support/eventually.js';
import { metricOf, readMetrics } from './support/metrics-text.js';
import { RoutingTest } from './support/routing-test.js';
import { hang, pause, type Script } from './support/script.js';

const two = (priority: string) =>
  `targets: [{ upstream: a, model: m }, { upstream: b, model: m, priority: 2 }], price: { inputUsdPerMTok: 1000, outputUsdPerMTok: 1 }, ${priority}`;

describe('a model with hedge', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await RoutingTest.start({
      settings: 'retry: { attempts: 1 }',
      models: {
        hedged: two('hedge: { after: 150ms }'),
        patient: two('hedge: { after: 10s }'),
        usual: two('hedge: { after: p95 }'),
        plain: two(''),
        alone: 'targets: [{ upstream: a, model: alone }], hedge: { after: 50ms }',
      },
      upstreams: { a: ['a'], b: ['b'] },
    });
  });
  afterEach(() => {
    for (const server of [chat.a, chat.b]) server.always(() => completion());
  });

  it.each<[string, object, Script]>([
    ['JSON', {}, completion('by b')],
    ['a stream', { stream: true }, stream(['by b'])],
  ])(
    'is answered by a second target if the first is silent; the first is aborted and its cost recorded: %s',
    async (_kind, fields, answer) => {
      const before = chat.a.requests.length;
      chat.a.enqueue(hang());
      chat.b.enqueue(answer);
      const response = await chat.ask('hedged', fields);
      expect(await response.text()).toContain('by b');
      expect(response.headers.get('x-gateway-attempts')).toBe('2');
      await chat.a.requests[before]?.aborted;
      const row = await chat.row(response);
      expect(row).toMatchObject({ status: 'settled', upstream: 'b' });
      expect(row.attempts).toEqual([
        expect.objectContaining({
          upstream: 'a',
          outcome: 'outrun',
          status: null,
          estimatedCostNanodollars: expect.any(Number),
        }),
        expect.objectContaining({ upstream: 'b', outcome: 'ok', status: 200 }),
      ]);
      const [first, second] = row.attempts as { startMs: number; estimatedCostNanodollars: number }[];
      expect(first?.estimatedCostNanodollars).toBeGreaterThan(0);
      const metrics = await chat.gateway.services.get(MetricsService).registry.metrics();
      expect(
        metricOf(readMetrics(metrics), 'gateway_uncharged_nanodollars_total', { reason: 'outrun' }),
      ).toBeGreaterThan(0);
      expect((second?.startMs ?? 0) - (first?.startMs ?? 0)).toBeGreaterThanOrEqual(145);
    },
  );

  it('is answered by the first if that is quicker, and then the second is aborted', async () => {
    chat.a.enqueue([pause(400), completion('by a')]);
    chat.b.enqueue(hang());
    const response = await chat.ask('hedged');
    expect(await response.text()).toContain('by a');
    const { upstream, attempts } = await chat.row(response);
    expect(upstream).toBe('a');
    expect(attempts).toMatchObject([{ outcome: 'ok' }, { upstream: 'b', outcome: 'outrun' }]);
  });

  it('waits for the other when one of the two fails, and ends when one refuses the request', async () => {
    chat.a.enqueue([pause(400), completion('by a')]);
    chat.b.enqueue(refusal(503));
    const response = await chat.ask('hedged');
    expect(await response.text()).toContain('by a');
    expect(response.headers.get('x-gateway-attempts')).toBe('2');
    chat.a.enqueue(hang());
    chat.b.enqueue(refusal(400, 'Not like this.'));
    await expectError(await chat.ask('hedged'), { status: 400, code: 'invalid_value' });
  });

  it('uses one target if it answers in time, has no alternative, or its usual time is unknown', async () => {
    const requested = async (model: string, script: Script) => {
      chat.a.enqueue(script);
      return (await chat.ask(model)).headers.get('x-gateway-attempts');
    };
    expect(await requested('patient', [pause(200), completion()])).toBe('1');
    expect(await requested('alone', [pause(200), completion()])).toBe('1');
    expect(await requested('usual', [pause(300), completion()])).toBe('1');
    expect(await requested('plain', [pause(300), completion()])).toBe('1');
  });

  it('tries a second when the first takes longer than usual', async () => {
    for (let i = 0; i < 20; i++) await (await chat.ask('usual')).text();
    chat.a.enqueue(hang());
    const response = await chat.ask('usual');
    expect((await chat.row(response)).upstream).toBe('b');
    await eventually(() => chat.a.requests.at(-1)?.aborted.then(() => true));
  });
});
