import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './project.mjs';

const beatMs = 1_000;
const staleMs = 10_000;

/**
 * Runs `task` while no other process runs one under the same lock. A lock is a file with a number, `file.1`, then
 * `file.2`…; the highest one counts. Its owner keeps the file's time fresh, and leaves it old: whoever finds it old makes
 * the next one, which only one process can. So nobody ever removes what another may have just made, and the lock of a
 * process that was killed is free again after ten seconds.
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

/** Waits, and gives the number of the lock that is ours. */
async function taken(file) {
  for (let told = false; ; ) {
    const last = numbersOf(file).at(-1) ?? 0;
    if (last > 0 && isFresh(`${file}.${last}`)) {
      if (!told) say('Waiting for another process that installs or builds here…');
      told = true;
      await sleep(100);
    } else if (isMade(`${file}.${last + 1}`)) {
      const older = numbersOf(file).filter((number) => number !== last + 1);
      // We were late: others have gone on meanwhile, and removed the number that is free for us.
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

/** One that is gone was followed by another: fresh, as far as is known. */
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
