/**
 * `npm run bench -- apis`: what a call through each API costs, as a multiple of the same call through chat completions:
 * for the same model, so natively or translated. Exits with 1 if a limit is exceeded.
 */

import { parseOptions, prepare, type Setting } from './gateway.ts';
import { alternate, type Measured, median, quantile, warmUp } from './measure.ts';
import type { Format } from './traffic.ts';

const REQUIRED = 1.3;

interface Row {
  readonly title: string;
  readonly api: Format;
  /** Of the model's upstream. */
  readonly upstream: Format;
}

const ROWS: readonly Row[] = [
  { title: 'Responses, native', api: 'responses', upstream: 'openai' },
  { title: 'Responses, translated', api: 'responses', upstream: 'anthropic' },
  { title: 'Messages, native', api: 'anthropic', upstream: 'anthropic' },
  { title: 'Messages, translated', api: 'anthropic', upstream: 'openai' },
];

/** A stream has the same pieces of text through each API, but not as many events: it is counted as one. */
const LOADS = [
  { kind: 'JSON, 64 connections', connections: 64, request: 'json', warmUpAnswers: 10_000 },
  { kind: '200 streams', connections: 200, request: 'stream', warmUpAnswers: 600 },
] as const;

const options = parseOptions(process.argv.slice(2));
const turns = options.quick ? 4 : 16;
const setting = await prepare(options);
try {
  console.log(line(['', 'CPU µs', 'through chat', 'ratio', `≤ ${REQUIRED}`]));
  for (const load of LOADS) for (const row of ROWS) await report(setting, row, load);
} finally {
  await setting.stop();
}

async function report(setting: Setting, { title, api, upstream }: Row, load: (typeof LOADS)[number]): Promise<void> {
  const { kind, warmUpAnswers, ...rest } = load;
  const own: Measured = { ...rest, title: `${title}, ${kind}`, upstream, api, unit: 'request' };
  const chat: Measured = { ...own, title: `chat completions, ${kind}`, api: 'openai' };
  const { gateway, driver } = setting;
  for (const phase of [chat, own])
    await warmUp(gateway, phase, driver, options.quick ? warmUpAnswers / 5 : warmUpAnswers);
  const pairs = await alternate([gateway, own], [gateway, chat], driver, turns);
  const ratios = pairs.map(([ours, others]) => ours / others);
  const ratio = median(ratios);
  const spread = (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / 2;
  const cells = [median(pairs.map(([ours]) => ours)), median(pairs.map(([, others]) => others))];
  const figures = cells.map((cell) => cell.toFixed(1));
  console.log(
    line([own.title, ...figures, `${ratio.toFixed(2)} ± ${spread.toFixed(2)}`, ratio <= REQUIRED ? 'ok' : 'OVER']),
  );
  if (ratio > REQUIRED) process.exitCode = 1;
}

function line([title = '', ...cells]: string[]): string {
  return title.padEnd(44) + cells.map((cell) => cell.padStart(14)).join('');
}
