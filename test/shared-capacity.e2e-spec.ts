import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { completion } from './support/chat-answers.js';
import { eventually } from './support/eventually.js';
import { modelsFile } from './support/routing-test.js';
import { gate } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { createMigratedDatabase, type TestDatabase } from './support/test-database.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const PER_MINUTE = 240;
const PLACES = 10;
const MODELS = modelsFile({
  rated: `targets: [{ upstream: a, model: rated, requestsPerMinute: ${PER_MINUTE} }]`,
  placed: `targets: [{ upstream: a, model: placed, concurrentCalls: ${PLACES} }]`,
});

describe('two gateways on one database', () => {
  let database: TestDatabase;
  let upstream: ScriptedUpstream;
  let gateways: TestGateway[];
  let user: TestUser;
  beforeAll(async () => {
    database = await createMigratedDatabase();
    upstream = await ScriptedUpstream.start();
    const config = {
      'gateway.yaml': 'routing: { queue: 0s }',
      'models.yaml': MODELS,
      'upstreams.yaml': `a: { protocol: openai, baseUrl: "${upstream.url}/v1", auth: none }`,
    };
    gateways = [await TestGateway.start({ database, config }), await TestGateway.start({ database, config })];
    user = await (gateways[0] as TestGateway).createUser();
    await eventually(
      async () => (await database.query('SELECT DISTINCT instance_id FROM capacity_shares')).length === 2,
    );
    // Both have read the other's news.
    await sleep(2500);
  });

  const ask = (gateway: TestGateway, model: string) =>
    gateway.complete(user, { model, messages: [{ role: 'user', content: 'Hi' }] });

  /** Calls all gateways with this many concurrent calls each; resolves to the number served. */
  async function load(model: string, ms: number, busy: readonly TestGateway[]): Promise<number> {
    const end = performance.now() + ms;
    let served = 0;
    const client = async (gateway: TestGateway) => {
      while (performance.now() < end) {
        const { status } = await ask(gateway, model);
        if (status === 200) served++;
        else await sleep(50);
      }
    };
    await Promise.all(busy.flatMap((gateway) => [client(gateway), client(gateway), client(gateway)]));
    return served;
  }

  it('together stay within 110 % of a rate limit and use it fully, whichever gateway receives the calls', async () => {
    upstream.always(() => completion());
    const began = performance.now();
    let served = await load('rated', 5000, gateways);
    served += await load('rated', 5000, gateways.slice(0, 1));
    const allowed = PER_MINUTE + ((performance.now() - began) * PER_MINUTE) / 60_000;
    expect(served).toBeLessThanOrEqual(allowed * 1.1);
    expect(served).toBeGreaterThan(allowed * 0.35);
  });

  it('together stay within 110 % of the concurrency limit', async () => {
    const { promise, resolve: open } = Promise.withResolvers<void>();
    upstream.always(() => [gate(promise), completion()]);
    const before = upstream.requests.length;
    const calls = gateways.flatMap((gateway) => Array.from({ length: 12 }, () => ask(gateway, 'placed')));
    await sleep(1500);
    const late = gateways.flatMap((gateway) => Array.from({ length: 4 }, () => ask(gateway, 'placed')));
    await Promise.all(late.map((call) => Promise.race([call, sleep(1000)])));
    const underWay = upstream.requests.length - before;
    expect(underWay).toBeLessThanOrEqual(PLACES * 1.1);
    expect(underWay).toBeGreaterThanOrEqual(PLACES * 0.5);
    open();
    const statuses = (await Promise.all([...calls, ...late])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(underWay);
  });
});
