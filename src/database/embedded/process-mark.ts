import { randomBytes } from 'node:crypto';
import { isRunning } from './running-process.js';

const ownMarks = new Set<string>();

/**
 * A name part, `<pid>-<random>`, for the files of one start of this process. After a restart of a container processes
 * get their old ids again, so the random part is needed.
 */
export function newProcessMark(): string {
  const mark = `${process.pid}-${randomBytes(4).toString('hex')}`;
  ownMarks.add(mark);
  return mark;
}

export function isLiveMark(mark: string): boolean {
  const pid = Number.parseInt(mark, 10);
  return pid === process.pid ? ownMarks.has(mark) : isRunning(pid);
}
