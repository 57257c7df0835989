import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [folder = '', name = '', racers = '', rounds = ''] = process.argv.slice(2);
const { existsSync, readdirSync, rmSync, writeFileSync } = fs;

/** Another process may run between any two file operations. */
for (const step of ['openSync', 'readdirSync', 'rmSync', 'statSync', 'utimesSync', 'writeFileSync']) {
  const original = fs[step];
  fs[step] = (...args) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 20);
    return original(...args);
  };
}
syncBuiltinESMExports();
const { withLock } = await import('../../scripts/lib/lock.mjs');

/** All racers request the same lock at once; its holder checks that it is alone. */
for (let round = 0; round < Number(rounds); round++) {
  const place = join(folder, String(round));
  writeFileSync(join(place, `ready-${name}`), '');
  while (readdirSync(place).filter((file) => file.startsWith('ready-')).length < Number(racers)) await sleep(1);
  await withLock(join(place, '.lock'), async () => {
    const inside = join(place, 'inside');
    if (existsSync(inside)) writeFileSync(join(place, `not-alone-${name}`), '');
    writeFileSync(inside, name);
    await sleep(50);
    rmSync(inside, { force: true });
    writeFileSync(join(place, `done-${name}`), '');
  });
}
