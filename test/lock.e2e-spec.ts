import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createWorkFolder } from './support/test-settings.js';

const RACER = resolve(import.meta.dirname, 'support/lock.child.mjs');
const RACERS = 3;
const ROUNDS = 15;

/** The state left by a lock's owner that was killed a minute ago. */
async function leaveStale(file: string): Promise<void> {
  const aMinuteAgo = new Date(Date.now() - 60_000);
  await writeFile(file, '');
  await utimes(file, aMinuteAgo, aMinuteAgo);
}

describe('processes that wait for the lock of a killed one', () => {
  let folder: Awaited<ReturnType<typeof createWorkFolder>>;
  beforeAll(async () => {
    folder = await createWorkFolder();
  });

  it('get it one after the other', async () => {
    const places = Array.from({ length: ROUNDS }, (_, round) => join(folder.path, String(round)));
    for (const place of places) {
      await mkdir(place);
      await leaveStale(join(place, '.lock.7'));
    }
    const racers = Array.from({ length: RACERS }, (_, i) =>
      spawn(process.execPath, [RACER, folder.path, String(i), String(RACERS), String(ROUNDS)], {
        stdio: ['ignore', 'ignore', 'pipe'],
      }),
    );
    const codes = await Promise.all(racers.map(async (racer) => (await once(racer, 'close'))[0]));
    expect(codes).toEqual(racers.map(() => 0));
    const files = (await Promise.all(places.map((place) => readdir(place)))).flat();
    expect(files.filter((file) => file.startsWith('not-alone'))).toEqual([]);
    expect(files.filter((file) => file.startsWith('done'))).toHaveLength(RACERS * ROUNDS);
  }, 120_000);
});
