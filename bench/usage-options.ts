import { parseArgs } from 'node:util';

export interface UsageOptions {
  calls: number;
  times: number;
  /** An empty database; null: an embedded one. */
  databaseUrl: string | null;
  json: boolean;
}

export const USAGE_HELP = `npm run bench -- usage [options]
  --calls N           calls in the ledger, of 90 days (default 10000000; about ten minutes and 10 GB of disk)
  --times N           how often each query runs (default 40)
  --database-url URL  an empty database to use instead of the embedded one
  --json              one JSON object instead of the table`;

/** @throws on unknown options and invalid numbers. */
export function parseUsageOptions(words: string[]): UsageOptions {
  const { values } = parseArgs({
    args: words,
    options: {
      calls: { type: 'string', default: '10000000' },
      times: { type: 'string', default: '40' },
      'database-url': { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const count = (name: 'calls' | 'times') => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a positive integer`);
    return value;
  };
  return {
    calls: count('calls'),
    times: count('times'),
    databaseUrl: values['database-url'] ?? null,
    json: values.json,
  };
}
