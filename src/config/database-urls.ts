import { readFileSync } from 'node:fs';
import type { Environment } from './environment.js';

export interface DatabaseUrls {
  /** Null: the embedded Postgres in `dataDir`. */
  readonly databaseUrl: string | null;
  /**
   * An address of the same database that keeps sessions, for LISTEN and advisory locks, if `databaseUrl` is a pooler.
   */
  readonly databaseDirectUrl: string | null;
  /** A streaming replica of the same database, for reports; null if there is none. */
  readonly databaseReadUrl: string | null;
}

/** The addresses with their passwords, as the environment and its files have them now. */
export function readDatabaseUrls(
  environment: Environment,
  readUrl: (name: string) => string | undefined,
): DatabaseUrls {
  const password = environment.readSecret('DATABASE_PASSWORD');
  const passwords = readPasswordFile(environment);
  const read = (name: string): string | null => {
    const text = readUrl(name);
    if (text === undefined || !URL.canParse(text)) return text ?? null;
    const url = new URL(text);
    const own = url.password || url.searchParams.get('password');
    const found = own ? undefined : (password ?? passwordFor(url, passwords));
    if (found === undefined) return text;
    // A URL without a host, for a socket, cannot have a password before the host.
    if (url.host === '') url.searchParams.set('password', found);
    else url.password = encodeURIComponent(found);
    return url.href;
  };
  return {
    databaseUrl: read('DATABASE_URL'),
    databaseDirectUrl: read('DATABASE_DIRECT_URL'),
    databaseReadUrl: read('DATABASE_READ_URL'),
  };
}

/** The lines of PGPASSFILE: `host:port:database:user:password`, `*` for any, with `\\` before `:` and `\\`. */
function readPasswordFile(environment: Environment): string[][] {
  const file = environment.read('PGPASSFILE');
  if (file === undefined) return [];
  try {
    const lines = readFileSync(file, 'utf8').split(/\r?\n/);
    return lines.filter((line) => !line.startsWith('#')).map((line) => line.match(/(?:\\.|[^:\\])+/g) ?? []);
  } catch (error) {
    environment.fault('PGPASSFILE', `names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
    return [];
  }
}

function passwordFor(url: URL, lines: readonly string[][]): string | undefined {
  const user = decodeURIComponent(url.username);
  const host = url.searchParams.get('host') ?? url.hostname;
  const database = decodeURIComponent(url.pathname.slice(1)) || user;
  const names = [host, url.searchParams.get('port') ?? (url.port || '5432'), database, user];
  return lines
    .map((line) => line.map((field) => field.replace(/\\(.)/g, '$1')))
    .find((line) => line.length === 5 && names.every((name, at) => line[at] === '*' || line[at] === name))
    ?.at(4);
}
