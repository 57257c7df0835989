import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  countedRows,
  eventually,
  parentOf,
  ServerUser,
  TemporaryFolder,
  zombie,
} from '../../../test/support/embedded-postgres.process.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { isRunning, isServerOn } from './running-process.js';

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('the embedded Postgres after a crash', () => {
  // One folder for all tests: each leaves a stopped server behind.
  const temporary = new TemporaryFolder();
  const folder = path.join(temporary.path, 'postgres');
  const data = path.join(folder, 'pg18');
  afterEach(() => ServerUser.killAll());
  afterAll(() => temporary.remove());

  async function rowsAfterRestart(): Promise<number> {
    const server = await startEmbeddedPostgres(folder);
    expect(server.owner).toBe(true);
    const rows = await countedRows(server);
    await server.stop();
    return rows;
  }

  it('ends soon after its owner was killed, and keeps every acknowledged row', async () => {
    const owner = new ServerUser('gateway', folder);
    const { pid } = await owner.ready();
    await owner.insertRows();
    await owner.kill();
    await eventually(() => !isServerOn(pid, data));
    expect(await rowsAfterRestart()).toBeGreaterThanOrEqual(owner.acknowledged);
  });

  it('is replaced by a process that starts while the old server is ending, with every acknowledged row', async () => {
    const owner = new ServerUser('gateway', folder);
    const { pid } = await owner.ready();
    await owner.insertRows();
    owner.child.kill('SIGKILL');
    const server = await startEmbeddedPostgres(folder);
    expect(server.owner).toBe(true);
    expect(server.pid).not.toBe(pid);
    expect(await countedRows(server)).toBeGreaterThanOrEqual(owner.acknowledged);
    await server.stop();
  });

  it('starts again with every acknowledged row when owner, guard and server were all killed', async () => {
    for (let round = 1; round <= 2; round++) {
      const owner = new ServerUser('gateway', folder);
      const { pid } = await owner.ready();
      await owner.insertRows();
      for (const victim of [parentOf(pid), pid]) process.kill(victim, 'SIGKILL');
      await owner.kill();
      expect(await rowsAfterRestart()).toBeGreaterThanOrEqual(owner.acknowledged);
    }
  });

  it('starts cleanly when the first start was killed during its creation', async () => {
    const untouched = path.join(temporary.path, 'untouched');
    const first = new ServerUser('gateway', untouched);
    await eventually(() => first.reported.some(({ log }) => log?.includes('creating')));
    await first.kill();
    const server = await startEmbeddedPostgres(untouched);
    expect(await countedRows(server, 'create table rows as select 1')).toBe(1);
    await server.stop();
  });

  it('is replaced, not adopted, when it outlives owner and guard', async () => {
    const owner = new ServerUser('gateway', folder);
    const { pid } = await owner.ready();
    await owner.insertRows();
    const guard = parentOf(pid);
    const watch = spawnSync('ps', ['--ppid', String(guard), '-o', 'pid=,comm='], { encoding: 'utf8' });
    const shell = Number(/(\d+) sh/.exec(watch.stdout)?.[1]);
    // The owner closes its pipe when the guard has ended, so that nothing reacts to it.
    for (const victim of [shell, guard]) process.kill(victim, 'SIGKILL');
    await owner.kill();
    expect(isServerOn(pid, data)).toBe(true);

    expect(await rowsAfterRestart()).toBeGreaterThanOrEqual(owner.acknowledged);
    expect(isServerOn(pid, data)).toBe(false);
  });

  it('outlives Ctrl-C, which signals the whole process group, until its owner has written its last row', async () => {
    const owner = new ServerUser('gateway', folder, { detached: true });
    const { pid } = await owner.ready();
    await owner.insertRows(1);
    process.kill(-(owner.child.pid ?? 0), 'SIGINT');
    await owner.ended;
    expect(owner.reported).toContainEqual({ stopped: true });
    expect(isRunning(pid)).toBe(false);

    const server = await startEmbeddedPostgres(folder);
    expect(await countedRows(server, 'delete from rows where value > -1')).toBe(1);
    await server.stop();
  });

  describe('whose process id', () => {
    let rows: number;
    let stale: (pid: number) => void;
    beforeEach(async () => {
      const killed = await startEmbeddedPostgres(folder);
      rows = await countedRows(killed, 'create table if not exists rows (value integer primary key)');
      process.kill(killed.pid, 'SIGKILL');
      await killed.stop();
      const file = path.join(data, 'postmaster.pid');
      stale = (pid) => writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(pid)));
    });

    it('is a zombie starts again', async () => {
      const { pid, parent } = await zombie();
      stale(pid);
      expect(await rowsAfterRestart()).toBe(rows);
      parent.kill();
    });

    it('now belongs to another program starts again and does not affect that program', async () => {
      const other = spawn('sleep', ['60']);
      stale(other.pid ?? 0);
      expect(await rowsAfterRestart()).toBe(rows);
      expect(isRunning(other.pid ?? 0)).toBe(true);
      other.kill();
    });

    it('now belongs to the server of another folder starts again and does not affect that server', async () => {
      const other = await startEmbeddedPostgres(path.join(temporary.path, 'untouched'));
      stale(other.pid);
      expect(await rowsAfterRestart()).toBe(rows);
      expect(isServerOn(other.pid, path.join(temporary.path, 'untouched', 'pg18'))).toBe(true);
      await other.stop();
    });
  });
});
