import { beforeEach, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { ConsoleClient } from './support/console-client.js';
import { createKey, statusOf } from './support/console-keys.js';
import { TestGateway } from './support/test-gateway.js';

const MAX = 3;
const REFUSED = {
  status: 400,
  body: {
    error: {
      code: 'invalid_value',
      param: null,
      message:
        'This user already has 3 live API keys, the maximum. Revoke one that is no longer used, ' +
        'or ask an administrator to raise `keys.perUser` in gateway.yaml.',
    },
  },
};

let gateways: TestGateway[] = [];
let client: ConsoleClient;

const config = { 'gateway.yaml': `keys: { perUser: ${MAX} }` };
const gateway = await TestGateway.start({ config });
gateways = [gateway, await TestGateway.start({ config, database: gateway.database })];
beforeEach(async () => {
  client = await ConsoleClient.as(gateway, 'member');
});

const fill = () => Promise.all(Array.from({ length: MAX }, () => createKey(client)));

async function expire(id: string): Promise<void> {
  await gateway.database.query("UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE id = $1", [id]);
}

describe('a user with as many live keys as allowed', () => {
  it('cannot create another one, and the error names the remedy', async () => {
    const [first] = await fill();
    expect(await client.post('/api/keys', { name: 'one more' })).toMatchObject(REFUSED);
    await client.patch(`/api/keys/${first.id}`, { disabled: true });
    expect(await client.post('/api/keys', { name: 'one more' })).toMatchObject(REFUSED);
  });

  it('cannot create one by concurrent requests at many replicas', async () => {
    const services = gateways.map((one) => one.services.get(ApiKeysService));
    const wishes = Array.from({ length: 12 }, (_, n) =>
      services[n % 2]?.create({ userId: client.user.id, name: `key ${n}` }, GATEWAY),
    );
    const outcomes = await Promise.allSettled(wishes);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX);
    expect((await client.get('/api/keys?limit=200')).body.items).toHaveLength(MAX);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['revoked', (id) => client.delete(`/api/keys/${id}`)],
    ['expired', (id) => expire(id)],
  ])('can create another when one is %s', async (_, end) => {
    const [first] = await fill();
    await end(first.id);
    await createKey(client);
    expect((await client.post('/api/keys', { name: 'one more' })).status).toBe(400);
  });

  it('cannot reactivate an expired key', async () => {
    const [first] = await fill();
    await expire(first.id);
    await createKey(client);
    expect(await client.patch(`/api/keys/${first.id}`, { expiresAt: null })).toMatchObject(REFUSED);
  });

  it('can rotate and change the existing ones', async () => {
    const [first] = await fill();
    const rotated = await client.post(`/api/keys/${first.id}/rotate`, { overlap: '24h' });
    expect(rotated.status).toBe(200);
    expect(await statusOf(gateway, rotated.body.key)).toBe(200);
    expect((await client.patch(`/api/keys/${first.id}`, { name: 'other', expiresAt: null })).status).toBe(200);
  });

  it('does not affect other users, and the playground has a separate key', async () => {
    await fill();
    await createKey(await ConsoleClient.as(gateway, 'member'));
    expect((await client.post('/api/playground/key', {})).status).toBeLessThan(300);
  });
});

it('a user without a limit can create any number of keys', async () => {
  const free = await TestGateway.start({ config: { 'gateway.yaml': 'keys: { perUser: null }' } });
  const person = await ConsoleClient.as(free, 'member');
  await free.database.query(
    `INSERT INTO api_keys (user_id, name, key_hash, display) SELECT $1, 'x', sha256(n::text::bytea), 'svc'
     FROM generate_series(1, 100) AS n`,
    [person.user.id],
  );
  await createKey(person);
});
