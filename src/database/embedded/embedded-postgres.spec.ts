import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { countedRows, ServerUser, TemporaryFolder } from '../../../test/support/embedded-postgres.process.js';
import { canReach, folderInSharedState, needsAccount } from './data-folder.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { isServerOn } from './running-process.js';

const NOBODY = { uid: 65534, gid: 65534 };
const asRoot = needsAccount() ? it : it.skip;
const withPublicSources = needsAccount() && canReach(NOBODY, process.execPath) && canReach(NOBODY, import.meta.dirname);
const asNobody = withPublicSources ? it : it.skip;

describe('the embedded Postgres', () => {
  let temporary: TemporaryFolder;
  let folder: string;
  beforeEach(() => {
    temporary = new TemporaryFolder();
    folder = path.join(temporary.path, 'postgres');
  });
  afterEach(async () => {
    await ServerUser.killAll();
    temporary.remove();
  });

  it('is created and logged on the first start, and keeps its rows and password', async () => {
    folder = path.join(temporary.path, `o'dd, "name"`);
    const reported: string[] = [];
    const first = await startEmbeddedPostgres(folder, (message) => reported.push(message));
    expect(first).toMatchObject({ owner: true, username: 'postgres', database: 'postgres', folder });
    expect(await countedRows(first, 'create table rows as select 1 as value')).toBe(1);
    await first.stop();
    await first.stop();

    const second = await startEmbeddedPostgres(folder, (message) => reported.push(message));
    expect(second.password).toBe(first.password);
    expect(await countedRows(second)).toBe(1);
    await expect(countedRows({ ...second, password: 'guess' })).rejects.toThrow('password authentication failed');
    await second.stop();
    expect(reported).toEqual([`creating the embedded database in ${folder}`]);
    expect(readdirSync(folder).sort()).toEqual(['pg18', 'postgres.log', 'postgres.old.log', 'sock']);
  });

  it('is joined by a second process, which neither owns nor stops it', async () => {
    const owner = await startEmbeddedPostgres(folder);
    const guest = new ServerUser('tool', folder);
    expect(await guest.ready()).toMatchObject({ pid: owner.pid, owner: false });
    await guest.stop();
    expect(await countedRows(owner, 'create table rows as select 1')).toBe(1);

    const sameProcess = await startEmbeddedPostgres(folder);
    expect(sameProcess).toMatchObject({ pid: owner.pid, owner: false });
    await owner.stop();
    expect(isServerOn(owner.pid, path.join(folder, 'pg18'))).toBe(false);
  });

  it('is one server when three processes start it for the first time together', async () => {
    const users = [1, 2, 3].map(() => new ServerUser('tool', folder));
    const servers = await Promise.all(users.map((user) => user.ready()));
    expect(new Set(servers.map(({ pid }) => pid)).size).toBe(1);
    expect(servers.filter(({ owner }) => owner)).toHaveLength(1);
    await Promise.all(users.map((user) => user.stop()));
    expect(readdirSync(folder).filter((name) => name.startsWith('new-'))).toEqual([]);
  });

  it('uses another socket folder when the path would be too long, and is still found', async () => {
    const long = path.join(temporary.path, 'a-folder-with-a-long-name'.repeat(4), 'postgres');
    const owner = await startEmbeddedPostgres(long);
    const guest = await startEmbeddedPostgres(long);
    expect(guest).toMatchObject({ host: owner.host, owner: false });
    expect(await countedRows(guest, 'create table rows as select 1')).toBe(1);
    await owner.stop();
    expect(existsSync(owner.host)).toBe(false);
  });

  it('removes what killed processes left, and reports why it cannot start', async () => {
    mkdirSync(path.join(folder, 'new-999999-0badcafe'), { recursive: true });
    mkdirSync(path.join(folder, `new-${process.pid}-0badcafe`));
    writeFileSync(path.join(folder, 'run-999999-0badcafe'), '1');
    const server = await startEmbeddedPostgres(folder);
    expect(readdirSync(folder).filter((name) => /^(new|run)-/.test(name))).toHaveLength(1);
    await server.stop();

    writeFileSync(path.join(folder, 'pg18', 'PG_VERSION'), '17\n');
    await expect(startEmbeddedPostgres(folder)).rejects.toThrow(/does not start; .*postgres\.log says:\n.*version 17/s);
  });

  asRoot('runs below a folder that only root may enter, and names the place of its data', async () => {
    chmodSync(temporary.path, 0o700);
    const elsewhere = folderInSharedState(folder);
    try {
      const reported: string[] = [];
      const server = await startEmbeddedPostgres(folder, (message) => reported.push(message));
      expect(server.folder).toBe(elsewhere);
      expect(reported[0]).toContain(elsewhere);
      expect(await countedRows(server, 'create table rows as select 1')).toBe(1);
      await server.stop();
    } finally {
      rmSync(elsewhere, { recursive: true, force: true });
    }
  });

  asNobody('runs for an ordinary user as that user', async () => {
    chmodSync(temporary.path, 0o777);
    const user = new ServerUser('tool', folder, NOBODY);
    const { pid } = await user.ready();
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toContain('Uid:\t65534\t65534');
    await user.insertRows(5);

    const root = await startEmbeddedPostgres(folder);
    expect(root).toMatchObject({ pid, owner: false });
    await user.stop();
    const later = await startEmbeddedPostgres(folder);
    expect(readFileSync(`/proc/${later.pid}/status`, 'utf8')).toContain('Uid:\t65534\t65534');
    await later.stop();
  });
});
