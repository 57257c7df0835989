import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, imitationServer, zombie } from '../../../test/support/embedded-postgres.process.js';
import { isRunning, isServerOn } from './running-process.js';

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

  it('of another user counts as running', () => {
    expect(isRunning(1)).toBe(true);
  });

  it('that is a zombie has ended, although it accepts signals', () => {
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
