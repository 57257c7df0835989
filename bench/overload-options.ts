import { parseArgs } from 'node:util';

export interface OverloadOptions {
  /** How long each overload lasts. */
  seconds: number;
  /** `overload.maxCalls` of the gateway; null: as shipped. */
  maxCalls: number | null;
  pin: boolean;
  json: boolean;
}

export const OVERLOAD_HELP = `npm run bench -- overload [options]
  --seconds N    how long each overload lasts (default 30)
  --max-calls N  set \`overload.maxCalls\` (default: as in config/gateway.yaml)
  --pin          pin the gateway with all its threads to one processor and the load to another
  --json         one JSON object instead of the table`;

/** @throws on unknown options and invalid numbers. */
export function parseOverloadOptions(words: string[]): OverloadOptions {
  const { values } = parseArgs({
    args: words,
    options: {
      seconds: { type: 'string', default: '30' },
      'max-calls': { type: 'string' },
      pin: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { seconds, 'max-calls': maxCalls, pin, json } = values;
  return {
    seconds: toCount('seconds', seconds),
    maxCalls: maxCalls === undefined ? null : toCount('max-calls', maxCalls),
    pin,
    json,
  };
}

function toCount(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a positive integer`);
  return value;
}
