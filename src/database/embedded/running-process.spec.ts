import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  eventually,
  imitationServer,
  TemporaryFolder,
  zombie,
} from '../../../test/support/embedded-postgres.process.js';
import type { DataFolder } from './data-folder.js';
import {
  isLiveMark,
  isRunning,
  isServerOn,
  newProcessMark,
  ownerFile,
  ownerOf,
  readPostmasterPid,
  removeLeftovers,
  retirePostmasterPid,
} from './running-process.js';

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('a process', () => {
  const other = spawn('sleep', ['60']);
  let dead: Awaited<ReturnType<typeof zombie>>;
  beforeAll(async () => {
    dead = await zombie();
  });
  afterAll(() => {
    other.kill();
    dead.parent.kill();
  });

  it('runs until it ends', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    expect(isRunning(pid)).toBe(true);
    child.kill();
    await once(child, 'exit');
    expect(isRunning(pid)).toBe(false);
  });

  it('a process of another user counts as running', () => {
    expect(isRunning(1)).toBe(true);
  });

  it('a zombie has ended, although it accepts signals', () => {
    expect(process.kill(dead.pid, 0)).toBe(true);
    expect(isRunning(dead.pid)).toBe(false);
  });

  it('is a server only for the data directory on its command line', async () => {
    const server = imitationServer('/data/pg18');
    await eventually(() => isServerOn(server.pid ?? 0, '/data/pg18'));
    expect(isServerOn(server.pid ?? 0, '/data/pg1')).toBe(false);
    expect(isServerOn(server.pid ?? 0, '/other/pg18')).toBe(false);
    expect(isServerOn(other.pid ?? 0, '/data/pg18')).toBe(false);
    server.kill();
  });
});

const READY = '4711\n/data/pg18\n1790000000\n5432\n/data/sock\n\n  1234567    32768\nready   \n';

describe('postmaster.pid', () => {
  let folder: TemporaryFolder;
  let file: string;
  beforeEach(() => {
    folder = new TemporaryFolder();
    file = path.join(folder.path, 'postmaster.pid');
  });
  afterEach(() => folder.remove());

  it('names process, port and socket folder', () => {
    writeFileSync(file, READY);
    expect(readPostmasterPid(folder.path)).toEqual({ pid: 4711, port: 5432, socketFolder: '/data/sock', ready: true });
  });

  it.each(['starting', 'stopping'])('postmaster.pid of a server that is %s is not ready', (status) => {
    writeFileSync(file, READY.replace('ready   ', status));
    expect(readPostmasterPid(folder.path)?.ready).toBe(false);
  });

  it('postmaster.pid of a server that has just started already names the process', () => {
    writeFileSync(file, READY.split('\n').slice(0, 5).join('\n'));
    expect(readPostmasterPid(folder.path)).toMatchObject({ pid: 4711, ready: false });
  });

  it('may be absent or empty', () => {
    expect(readPostmasterPid(folder.path)).toBeUndefined();
    writeFileSync(file, '');
    expect(readPostmasterPid(folder.path)).toBeUndefined();
  });

  it('postmaster.pid of a killed server names no process after it was retired, but keeps its shared memory id', () => {
    writeFileSync(file, READY.replace('4711', String(process.pid)));
    retirePostmasterPid(folder.path, path.join(folder.path, 'draft'));
    const [pid, ...rest] = readFileSync(file, 'utf8').split('\n');
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
    expect(rest[5]).toBe('  1234567    32768');
    expect(readdirSync(folder.path)).toEqual(['postmaster.pid']);
  });

  it('postmaster.pid of a live server stays unchanged', async () => {
    const server = imitationServer(folder.path);
    await eventually(() => isServerOn(server.pid ?? 0, folder.path));
    const text = READY.replace('4711', String(server.pid));
    writeFileSync(file, text);
    retirePostmasterPid(folder.path, path.join(folder.path, 'draft'));
    expect(readFileSync(file, 'utf8')).toBe(text);
    server.kill();
  });
});

describe('a process mark', () => {
  it('is live in its own process, and unique for each start', () => {
    const [first, second] = [newProcessMark(), newProcessMark()];
    expect(first).not.toBe(second);
    expect([isLiveMark(first), isLiveMark(second)]).toEqual([true, true]);
  });

  it('a process mark of an earlier process with the same id is dead', () => {
    expect(isLiveMark(`${process.pid}-0badcafe`)).toBe(false);
  });

  it('a process mark of another process is live as long as that process runs', () => {
    expect(isLiveMark(`${process.ppid}-0badcafe`)).toBe(true);
    expect(isLiveMark(`${spawnSync('true').pid}-0badcafe`)).toBe(false);
  });
});

const DEAD = '99999999-0badcafe';

describe('the owner file', () => {
  let temporary: TemporaryFolder;
  let folder: DataFolder;
  beforeEach(() => {
    temporary = new TemporaryFolder();
    folder = {
      path: temporary.path,
      data: path.join(temporary.path, 'pg18'),
      account: undefined,
      isElsewhere: false,
    };
  });
  afterEach(() => temporary.remove());

  it("identifies the server's owner", () => {
    const mark = newProcessMark();
    writeFileSync(ownerFile(folder, newProcessMark()), '4710\n');
    writeFileSync(ownerFile(folder, mark), '4711\n');
    expect(ownerOf(4711, folder)).toBe(mark);
    expect(ownerOf(4712, folder)).toBeUndefined();
  });

  it('the owner file of a dead process does not count', () => {
    writeFileSync(ownerFile(folder, DEAD), '4711\n');
    expect(ownerOf(4711, folder)).toBeUndefined();
  });

  it('the owner file of a dead process is removed, with its drafts and copies of programs no longer used', () => {
    const mark = newProcessMark();
    for (const name of [`new-${DEAD}`, `log-${DEAD}`, `new-${mark}`, 'native-18.3.0', 'native-18.4.0', 'pg18']) {
      mkdirSync(path.join(folder.path, name));
    }
    for (const owner of [DEAD, mark]) writeFileSync(ownerFile(folder, owner), '4711\n');
    removeLeftovers(folder, path.join(folder.path, 'native-18.4.0/native/bin/postgres'));
    expect(readdirSync(folder.path).sort()).toEqual(['native-18.4.0', `new-${mark}`, 'pg18', `run-${mark}`]);
  });
});
