import { beforeAll, describe, expect, it } from '@jest/globals';
import { UsageLedgerService } from '../src/ledger/usage-ledger.service.js';
import { ConsoleClient } from './support/console-client.js';
import { closedCall, openCall } from './support/test-calls.js';
import { TestGateway } from './support/test-gateway.js';

const DAY = 'from=2026-03-29T00:00:00Z&to=2026-03-30T00:00:00Z';

describe('the pages of groups of a report', () => {
  let gateway: TestGateway;
  let admin: ConsoleClient;
  let member: ConsoleClient;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    admin = await ConsoleClient.as(gateway, 'admin');
    member = await ConsoleClient.as(gateway, 'member');
    const ledger = gateway.services.get(UsageLedgerService);
    for (const { user } of [member, member, admin]) {
      const startedAt = new Date('2026-03-29T10:30:00Z');
      await ledger.close(closedCall(openCall({ userId: user.id, startedAt })));
    }
  });

  it('have the names of the report, and end', async () => {
    const { body } = await admin.get(`/api/usage/groups?${DAY}&groupBy=user&scope=all`);
    expect(body).toMatchObject({
      groupCount: 2,
      groups: [
        { label: member.user.email, totals: { requests: 2 } },
        { label: admin.user.email, totals: { requests: 1 } },
      ],
    });
    const second = await admin.get(`/api/usage/groups?${DAY}&groupBy=user&scope=all&page=2`);
    expect(second.body).toEqual({ groupCount: 2, groups: [] });
  });

  it('require permission for the report', async () => {
    const { status, body } = await member.get(`/api/usage/groups?${DAY}&groupBy=user`);
    expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'admin_only' });
  });

  it.each(['', '/groups', '/calls', '/calls/x'])('require a sign-in, as does /api/usage%s', async (path) => {
    expect((await ConsoleClient.of(gateway).get(`/api/usage${path}?${DAY}`)).status).toBe(401);
  });

  it('start at page one', async () => {
    const { status, body } = await admin.get(`/api/usage/groups?${DAY}&page=0`);
    expect({ status, param: body.error.param }).toEqual({ status: 400, param: 'page' });
  });
});
