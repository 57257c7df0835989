import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, imitationServer, TemporaryFolder } from '../../../test/support/embedded-postgres.process.js';
import { readPostmasterPid, retirePostmasterPid } from './postmaster-pid.js';
import { isServerOn } from './running-process.js';

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

  it.each(['starting', 'stopping'])('of a server that is %s is not ready', (status) => {
    writeFileSync(file, READY.replace('ready   ', status));
    expect(readPostmasterPid(folder.path)?.ready).toBe(false);
  });

  it('of a server that has just started already names the process', () => {
    writeFileSync(file, READY.split('\n').slice(0, 5).join('\n'));
    expect(readPostmasterPid(folder.path)).toMatchObject({ pid: 4711, ready: false });
  });

  it('may be absent or empty', () => {
    expect(readPostmasterPid(folder.path)).toBeUndefined();
    writeFileSync(file, '');
    expect(readPostmasterPid(folder.path)).toBeUndefined();
  });

  it('of a killed server names no process after it was retired, but keeps its shared memory id', () => {
    writeFileSync(file, READY.replace('4711', String(process.pid)));
    retirePostmasterPid(folder.path, path.join(folder.path, 'draft'));
    const [pid, ...rest] = readFileSync(file, 'utf8').split('\n');
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
    expect(rest[5]).toBe('  1234567    32768');
    expect(readdirSync(folder.path)).toEqual(['postmaster.pid']);
  });

  it('of a live server stays unchanged', async () => {
    const server = imitationServer(folder.path);
    await eventually(() => isServerOn(server.pid ?? 0, folder.path));
    const text = READY.replace('4711', String(server.pid));
    writeFileSync(file, text);
    retirePostmasterPid(folder.path, path.join(folder.path, 'draft'));
    expect(readFileSync(file, 'utf8')).toBe(text);
    server.kill();
  });
});
