import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { isLiveMark, newProcessMark } from './process-mark.js';

describe('a process mark', () => {
  it('is live in its own process, and unique for each start', () => {
    const [first, second] = [newProcessMark(), newProcessMark()];
    expect(first).not.toBe(second);
    expect([isLiveMark(first), isLiveMark(second)]).toEqual([true, true]);
  });

  it('of an earlier process with the same id is dead', () => {
    expect(isLiveMark(`${process.pid}-0badcafe`)).toBe(false);
  });

  it('of another process is live as long as that process runs', () => {
    expect(isLiveMark(`${process.ppid}-0badcafe`)).toBe(true);
    expect(isLiveMark(`${spawnSync('true').pid}-0badcafe`)).toBe(false);
  });
});
