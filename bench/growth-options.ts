import { parseArgs } from 'node:util';

export interface GrowthOptions {
  calls: number;
  users: number;
  keys: number;
  /** Keys that make the calls. */
  activeKeys: number;
  auditEntries: number;
  idempotentCalls: number;
  /** How often each query runs; the median counts. */
  times: number;
  /** A Postgres server for the two databases; null: two embedded ones. */
  serverUrl: string | null;
  /** Names under which the two databases are kept for later runs; null: they are dropped. */
  keepAs: string | null;
  /** How long two gateways run on the full database at the end; 0: skipped. */
  trialMinutes: number;
  json: boolean;
}

const NUMBERS = {
  calls: 12_000_000,
  users: 2000,
  keys: 300_000,
  'active-keys': 5000,
  'audit-entries': 200_000,
  'idempotent-calls': 800_000,
  times: 5,
} as const;

export const GROWTH_HELP = `npm run bench -- growth [options]
  --calls N             calls in the ledger, of 90 days (default ${NUMBERS.calls}, about 20 minutes and 12 GB of disk;
                        2000000 for a nightly run)
  --users N, --keys N, --active-keys N, --audit-entries N, --idempotent-calls N
                        other rows (default ${NUMBERS.users}, ${NUMBERS.keys}, ${NUMBERS['active-keys']}, ${NUMBERS['audit-entries']}, ${NUMBERS['idempotent-calls']})
  --times N             how often each query runs (default ${NUMBERS.times})
  --server-url URL      a Postgres server to use instead of embedded ones; two databases are created there, and dropped
  --keep-as NAME        keeps them as NAME_full and NAME_empty; another run with the same name only measures
  --trial-minutes N     runs two gateways on the full database at the end, with calls and reports (default 0)
  --json                one JSON object instead of the table`;

/** @throws on unknown options and invalid numbers. */
export function parseGrowthOptions(words: string[]): GrowthOptions {
  const names = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];
  const { values } = parseArgs({
    args: words,
    options: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string', default: String(NUMBERS[name]) } as const])),
      'server-url': { type: 'string' },
      'keep-as': { type: 'string' },
      'trial-minutes': { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
    },
  });
  const count = (name: keyof typeof NUMBERS) => {
    const value = Number((values as Record<string, unknown>)[name]);
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a positive integer`);
    return value;
  };
  const options = {
    calls: count('calls'),
    users: count('users'),
    keys: count('keys'),
    activeKeys: count('active-keys'),
    auditEntries: count('audit-entries'),
    idempotentCalls: count('idempotent-calls'),
    times: count('times'),
    serverUrl: typeof values['server-url'] === 'string' ? values['server-url'] : null,
    keepAs: typeof values['keep-as'] === 'string' ? values['keep-as'] : null,
    trialMinutes: Number(values['trial-minutes']),
    json: values.json === true,
  };
  if (!(options.trialMinutes >= 0)) throw new Error('--trial-minutes must be a number of minutes');
  if (options.activeKeys > options.keys) throw new Error('--active-keys cannot be more than --keys');
  if (options.keepAs !== null && options.serverUrl === null) throw new Error('--keep-as needs --server-url');
  if (options.keepAs !== null && !/^[a-z_]+$/.test(options.keepAs))
    throw new Error('--keep-as accepts lower-case letters and _');
  return options;
}
