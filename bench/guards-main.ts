/**
 * `npm run bench -- guards`: what five built-in detectors add to a call with a prompt of 4 kB, and to a chunk of a stream.
 * Exits with 1 if a limit is exceeded.
 */

import { appendFileSync, cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { benchFolder, parseOptions, prepare } from './gateway.ts';
import { type Measured, measure, median, type Sample, warmUp } from './measure.ts';

const GUARDS = `
guards:
  personal: { detect: [email, phone, payment_card, iban, ip_address], on: [request, answer], do: mask }
`;
const TURN_SECONDS = 0.5;
const LOADS = [
  { title: 'JSON with a prompt of 4 kB', connections: 64, request: 'long', unit: 'request', warmUpAnswers: 8000 },
  { title: '200 streams', connections: 200, request: 'stream', unit: 'chunk', warmUpAnswers: 400 },
] as const;

const options = parseOptions(process.argv.slice(2));
const turns = options.quick ? 4 : 16;
const config = benchFolder();
cpSync(path.resolve(import.meta.dirname, '../config'), config, { recursive: true });
appendFileSync(path.join(config, 'gateway.yaml'), GUARDS);
const setting = await prepare(options, { CONFIG_DIR: config });
try {
  const created = await setting.command('user:create', '--email', 'guarded@localhost');
  await setting.command('plan:grant', '--email', String(created.email));
  const name = ['--email', String(created.email), '--name', 'guarded'];
  const { id, key } = await setting.command('key:create', ...name);
  await setting.command('key:set', '--id', String(id), '--guards', 'personal');
  const guarded = { ...setting.gateway, key: String(key) };
  for (const { warmUpAnswers, ...phase } of LOADS) {
    for (const target of [setting.gateway, guarded]) await warmUp(target, phase, setting.driver, warmUpAnswers);
    const pairs: [guarded: number, plain: number][] = [];
    for (let turn = 0; turn < turns; turn++) {
      const plain = cpuOf(await measure(setting.gateway, phase, setting.driver, TURN_SECONDS));
      pairs.push([cpuOf(await measure(guarded, phase, setting.driver, TURN_SECONDS)), plain]);
    }
    const isOver = report(phase, pairs);
    if (isOver) process.exitCode = 1;
  }
} finally {
  await setting.stop();
  rmSync(config, { recursive: true, force: true });
}

/** Prints the medians; returns whether the limit is exceeded. */
function report({ title, unit }: Measured, pairs: readonly (readonly [number, number])[]): boolean {
  const [ours, plain] = [median(pairs.map(([one]) => one)), median(pairs.map(([, other]) => other))];
  const added = median(pairs.map(([one, other]) => one - other));
  const share = median(pairs.map(([one, other]) => one / other)) - 1;
  const isOver = unit === 'chunk' ? added > 1 : share > 0.1;
  const limit = unit === 'chunk' ? `+${added.toFixed(2)} µs ≤ 1 µs` : `+${(share * 100).toFixed(1)} % ≤ 10 %`;
  const figures = `${ours.toFixed(1)} µs with guards, ${plain.toFixed(1)} µs without`;
  console.log(`${title}, per ${unit}: ${figures}, ${limit} ${isOver ? 'OVER' : 'ok'}`);
  return isOver;
}

/** CPU µs per request or chunk. @throws if an answer was wrong. */
function cpuOf({ cpu, errors, firstError }: Sample): number {
  if (errors > 0) throw new Error(`${errors} wrong answers, the first: ${firstError}`);
  return cpu;
}
