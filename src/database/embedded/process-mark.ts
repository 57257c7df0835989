import { randomBytes } from 'node:crypto';
import { isRunning } from './running-process.js';

const ownMarks = new Set<string>();

/**
 * A name part, `<pid>-<random>`, for the files that belong to one start of this process. The random part tells it from
 * an earlier process with the same id: after a restart of a container every process gets its old id again.
 */
export function newProcessMark(): string {
  const mark = `${process.pid}-${randomBytes(4).toString('hex')}`;
  ownMarks.add(mark);
  return mark;
}

/** False once the process that made the mark is gone. */
export function isLiveMark(mark: string): boolean {
  const pid = Number.parseInt(mark, 10);
  return pid === process.pid ? ownMarks.has(mark) : isRunning(pid);
}
