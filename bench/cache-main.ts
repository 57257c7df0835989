/**
 * `npm run bench -- cache`: the CPU time of a call that is answered from the cache, as a share of that of the same call to
 * the upstream. Exits with 1 if a limit is exceeded.
 */

import { randomBytes } from 'node:crypto';
import { parseOptions, prepare } from './gateway.ts';
import { cpuOf, type Measured, measure, median, warmUp } from './measure.ts';

const REQUIRED = 0.6;
const TURN_SECONDS = 0.5;
const LOADS = [
  { title: 'JSON, 64 connections', connections: 64, request: 'json', warmUpAnswers: 8000 },
  { title: 'JSON, 1 connection', connections: 1, request: 'json', warmUpAnswers: 2000 },
] as const;

const options = parseOptions(process.argv.slice(2));
const turns = options.quick ? 4 : 16;
const setting = await prepare(options, { CONTENT_LOG_KEY: randomBytes(32).toString('base64') });
try {
  const created = await setting.command('user:create', '--email', 'cached@localhost');
  await setting.command('plan:grant', '--email', String(created.email));
  const name = ['--email', String(created.email), '--name', 'cached'];
  const { key } = await setting.command('key:create', ...name, '--cache', '1h');
  const cached = { ...setting.gateway, key: String(key) };
  for (const { warmUpAnswers, ...load } of LOADS) {
    const phase: Measured = { ...load, unit: 'request' };
    for (const target of [setting.gateway, cached]) await warmUp(target, phase, setting.driver, warmUpAnswers);
    const pairs: [hit: number, call: number][] = [];
    for (let turn = 0; turn < turns; turn++) {
      const call = cpuOf(await measure(setting.gateway, phase, setting.driver, TURN_SECONDS));
      pairs.push([cpuOf(await measure(cached, phase, setting.driver, TURN_SECONDS)), call]);
    }
    const [hit, call] = [median(pairs.map(([ours]) => ours)), median(pairs.map(([, others]) => others))];
    const ratio = median(pairs.map(([ours, others]) => ours / others));
    const verdict = ratio <= REQUIRED ? 'ok' : 'OVER';
    console.log(
      `${load.title}: hit ${hit.toFixed(1)} µs, call ${call.toFixed(1)} µs, ${ratio.toFixed(2)} ≤ ${REQUIRED} ${verdict}`,
    );
    if (ratio > REQUIRED) process.exitCode = 1;
  }
} finally {
  await setting.stop();
}
