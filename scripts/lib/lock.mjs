import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './project.mjs';

const beatMs = 1_000;
const staleMs = 10_000;

/**
 * Runs `task` while no other process runs one under the same lock file. The owner keeps the file's time fresh, so the
 * lock of a process that was killed is free again after ten seconds.
 */
export async function withLock(file, task) {
  mkdirSync(dirname(file), { recursive: true });
  for (let told = false; !taken(file); told = true) {
    if (!told) say('Waiting for another process that installs or builds here…');
    if (age(file) > staleMs) rmSync(file, { force: true });
    else await sleep(100);
  }
  const beat = setInterval(() => touch(file), beatMs);
  try {
    return await task();
  } finally {
    clearInterval(beat);
    rmSync(file, { force: true });
  }
}

function taken(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function age(file) {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs;
}

function touch(file) {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}
