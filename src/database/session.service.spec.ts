import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { DatabaseProxy } from '../../test/support/database-proxy.js';
import { eventually } from '../../test/support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { createServices } from '../../test/support/test-services.js';
import { DatabaseService } from './database.service.js';
import { SessionService } from './session.service.js';

const LOCK = 4711n;

describe('SessionService', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let services: INestApplicationContext;
  let session: SessionService;
  let heard: string[];
  let restored: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await DatabaseProxy.create(database.url);
    await proxy.open();
    services = await createServices(proxy.url);
    session = services.get(SessionService);
    session.listen('test_channel', (payload) => heard.push(payload));
    session.restored.subscribe(() => restored++);
    await services.get(DatabaseService).start();
    await session.hold(LOCK);
  });
  beforeEach(() => {
    heard = [];
    restored = 0;
  });

  const notify = (payload: string) => database.query('SELECT pg_notify($1, $2)', ['test_channel', payload]);
  const isLockFree = async () => {
    const [row] = await database.query('SELECT pg_try_advisory_xact_lock($1) AS free', [String(LOCK)]);
    return row?.free as boolean;
  };
  const standsAgain = async () => {
    await eventually(() => session.isUp && restored > 0);
    expect(restored).toBe(1);
    await notify('again');
    await eventually(() => heard.includes('again'));
    expect(await isLockFree()).toBe(false);
  };

  it('receives notifications and holds its locks', async () => {
    await notify('hello');
    await eventually(() => heard.length > 0);
    expect(heard).toEqual(['hello']);
    expect(await isLockFree()).toBe(false);
    expect(session.isUp).toBe(true);
  });

  it('listens and locks again after Postgres ended its connection, and reports the loss', async () => {
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'chat-completion-gateway session' AND datname = current_database()`,
    );
    await standsAgain();
  });

  it('is not up while Postgres is unavailable, and recovers afterwards', async () => {
    await proxy.close();
    await eventually(() => !session.isUp, 1000);
    await eventually(isLockFree);
    await notify('unheard');
    await proxy.open();
    await standsAgain();
    expect(heard).not.toContain('unheard');
  });

  it('notices within two seconds that Postgres has stopped responding', async () => {
    proxy.silence();
    await eventually(() => !session.isUp, 2000);
    await proxy.close();
    await proxy.open();
    await standsAgain();
  });
});
