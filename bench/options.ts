import { parseArgs } from 'node:util';

export interface Options {
  quick: boolean;
  json: boolean;
  profile: boolean;
  pin: boolean;
  /** Milliseconds between two chunks of one stream. */
  paceMs: number;
}

export const OPTIONS_HELP = `npm run bench -- [options]
  counters       what a request and a chunk cost apart from time; \`npm run check\` does this too
  apis           what a call through each API costs, as a multiple of the same call through chat completions
  --quick        about 45 seconds instead of 300: without the expensive rows; the figures vary more and are slightly high
  --json         one JSON object instead of the table
  --profile      no table: CPU profiles of both servers, and where the time goes
  --no-pin       do not pin the servers to one processor and the load to another
  --pace-ms N    milliseconds between two chunks of a stream (default 10)`;

/** @throws on unknown options and on a pace that is not a positive integer. */
export function parseOptions(words: string[]): Options {
  const { values } = parseArgs({
    args: words,
    allowNegative: true,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      pin: { type: 'boolean', default: true },
      'pace-ms': { type: 'string', default: '10' },
    },
  });
  const { quick, json, profile, pin } = values;
  const paceMs = Number(values['pace-ms']);
  if (!Number.isInteger(paceMs) || paceMs < 1) throw new Error('--pace-ms must be a positive integer');
  return { quick, json, profile, pin, paceMs };
}
