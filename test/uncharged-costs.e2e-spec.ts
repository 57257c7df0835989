import { beforeAll, describe, expect, it } from '@jest/globals';
import { completion } from './support/chat-answers.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { RoutingTest } from './support/routing-test.js';
import { hang } from './support/script.js';

const TARGETS = 'targets: [{ upstream: a, model: m }, { upstream: b, model: m, priority: 2 }]';

describe('costs that upstreams may bill but no caller is charged', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await RoutingTest.start({
      models: {
        hedged: `${TARGETS}, price: { inputUsdPerMTok: 1000, outputUsdPerMTok: 1 }, hedge: { after: 50ms }`,
        other: TARGETS,
      },
      upstreams: { a: ['a'], b: ['b'] },
    });
  });

  it("are in an administrator's report, unless it is filtered by callers", async () => {
    const admin = await ConsoleClient.as(chat.gateway, 'admin');
    const member = await ConsoleClient.as(chat.gateway, 'member');
    const from = new Date(Date.now() - 3_600_000).toISOString();
    const to = new Date(Date.now() + 3_600_000).toISOString();
    const uncharged = async (client: ConsoleClient, query: string) => {
      const { status, body } = await client.get(`/api/usage?from=${from}&to=${to}&${query}`);
      expect(status).toBe(200);
      return body.unchargedUsd;
    };
    expect(await uncharged(admin, 'scope=all')).toBe(0);
    chat.a.enqueue(hang());
    chat.b.enqueue(completion());
    const response = await chat.ask('hedged');
    await response.text();
    const [{ estimatedCostNanodollars: nanodollars }] = (await chat.row(response)).attempts as [
      { estimatedCostNanodollars: number },
    ];
    expect(nanodollars).toBeGreaterThan(0);
    await eventually(async () => (await uncharged(admin, 'scope=all')) === nanodollars / 1e9);
    expect(await uncharged(admin, 'scope=all&models=hedged')).toBe(nanodollars / 1e9);
    expect(await uncharged(admin, 'scope=all&models=other')).toBe(0);
    expect(await uncharged(admin, 'scope=all&statuses=settled')).toBeNull();
    expect(await uncharged(member, '')).toBeNull();
  });
});
