import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { DatabaseProxy } from '../../test/support/database-proxy.js';
import { eventually } from '../../test/support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { createServices } from '../../test/support/test-services.js';
import { DatabaseService } from './database.service.js';
import { MIGRATIONS } from './migrations/migrations.js';

describe('DatabaseService', () => {
  let database: TestDatabase;
  const started: INestApplicationContext[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    for (const services of started.splice(0)) await services.close();
    await database.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  });
  afterAll(() => database?.drop());

  const create = async (url = database.url) => {
    const services = await createServices(url);
    started.push(services);
    return services.get(DatabaseService);
  };
  const migrated = async () => (await database.query('SELECT name FROM migrations')).length;

  it('migrates once however many processes start at once', async () => {
    const all = await Promise.all([create(), create(), create(), create()]);
    await Promise.all(all.map((service) => service.start()));
    expect(all.every(({ isStarted }) => isStarted)).toBe(true);
    expect(await migrated()).toBe(MIGRATIONS.length);
  });

  it('stops the start with the reason when a migration fails, and leaves nothing of it behind', async () => {
    await database.query('CREATE TABLE plan_grants (id int)');
    const service = await create();
    await expect(service.start()).rejects.toThrow(
      'a migration of the database failed: relation "plan_grants" already exists',
    );
    expect(service.isStarted).toBe(false);
    expect(await database.query("SELECT to_regclass('users') AS users")).toEqual([{ users: null }]);
  });

  it('waits for a database that is not up yet, and runs what was registered before it is ready', async () => {
    const proxy = await DatabaseProxy.create(database.url);
    const service = await create(proxy.url);
    const ran: string[] = [];
    service.beforeReady(async () => void ran.push(`first, started: ${service.isStarted}`));
    service.beforeReady(async () => void ran.push('second'));
    const starting = service.start();
    await new Promise((wait) => setTimeout(wait, 700));
    expect(await service.answers()).toBe(false);
    await proxy.open();
    await starting;
    expect(await service.answers()).toBe(true);
    expect(ran).toEqual(['first, started: false', 'second']);
    await proxy.close();
    await eventually(async () => !(await service.answers()));
    await proxy.open();
    await eventually(() => service.answers());
    await started.pop()?.close();
    await proxy.close();
  });

  it('says within three seconds that a database has gone silent', async () => {
    const proxy = await DatabaseProxy.create(database.url);
    await proxy.open();
    const service = await create(proxy.url);
    await service.start();
    proxy.silence();
    const beganAt = performance.now();
    expect(await service.answers()).toBe(false);
    expect(performance.now() - beganAt).toBeLessThan(3000);
    await proxy.close();
    await started.pop()?.close();
  });

  it('may be closed while it waits for the database', async () => {
    const proxy = await DatabaseProxy.create(database.url);
    const service = await create(proxy.url);
    const starting = service.start();
    await started.pop()?.close();
    await starting;
    expect(service.isStarted).toBe(false);
  });
});
