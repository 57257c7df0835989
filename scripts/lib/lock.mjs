import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './project.mjs';

const beatMs = 1_000;
const staleMs = 10_000;

/**
 * Runs `task` while no other process runs one under the same lock. A lock is a numbered file, `file.1`, then `file.2`…;
 * the highest number counts. The owner keeps updating the file's time, and sets an old time when it is done. A process
 * that finds an old time creates the file with the next number, which only one process can do. So no process removes a
 * file that another one has just created, and the lock of a killed process is free after ten seconds.
 */
export async function withLock(file, task) {
  mkdirSync(dirname(file), { recursive: true });
  const own = `${file}.${await taken(file)}`;
  const beat = setInterval(() => touch(own, new Date()), beatMs);
  try {
    return await task();
  } finally {
    clearInterval(beat);
    touch(own, new Date(0));
  }
}

/** Waits for the lock and returns its number. */
async function taken(file) {
  for (let hasReported = false; ; ) {
    const last = numbersOf(file).at(-1) ?? 0;
    if (last > 0 && isFresh(`${file}.${last}`)) {
      if (!hasReported) say('Waiting for another process that installs or builds here…');
      hasReported = true;
      await sleep(100);
    } else if (isMade(`${file}.${last + 1}`)) {
      const older = numbersOf(file).filter((number) => number !== last + 1);
      // Other processes have taken and released the lock meanwhile, and removed the number that was free.
      const isLate = older.some((number) => number > last + 1);
      for (const number of isLate ? [last + 1] : older) rmSync(`${file}.${number}`, { force: true });
      if (!isLate) return last + 1;
    }
  }
}

function numbersOf(file) {
  const prefix = `${basename(file)}.`;
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(prefix) && /^[1-9]\d*$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((one, other) => one - other);
}

function isMade(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** A missing file was replaced by a later one, so it counts as fresh. */
function isFresh(file) {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined || Date.now() - stats.mtimeMs <= staleMs;
}

function touch(file, time) {
  try {
    utimesSync(file, time, time);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}
