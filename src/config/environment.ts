import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Proxies } from '../common/outbound-http.js';
import type { Fault } from './config-file.js';

/** Where a variable was found; null if nowhere. */
export type VariableSource = 'environment' | '.env' | null;

/**
 * Variables of the process, then those of a `.env` file in `folder`; each can also be given as a file with `NAME_FILE`.
 */
export class Environment {
  /** Every variable that was read, with where it was found. */
  readonly sources = new Map<string, VariableSource>();
  /** The files of secrets that were read. */
  readonly files = new Set<string>();
  private readonly fromFile: NodeJS.Dict<string>;

  constructor(
    private readonly variables: NodeJS.ProcessEnv,
    folder: string | Environment,
    readonly faults: Fault[],
  ) {
    this.fromFile = folder instanceof Environment ? folder.fromFile : readEnvFile(folder);
  }

  /** The same variables, to read their files again. */
  again(): Environment {
    return new Environment(this.variables, this, []);
  }

  /** The names of the variables that are set. */
  names(): string[] {
    const set = { ...this.fromFile, ...this.variables };
    return Object.keys(set).filter((name) => set[name]);
  }

  /** The variables that start with one of these, for a library that reads them itself. */
  startingWith(...starts: readonly string[]): Record<string, string> {
    const set = Object.entries({ ...this.fromFile, ...this.variables });
    return Object.fromEntries(
      set.flatMap(([name, value]) => (value && starts.some((start) => name.startsWith(start)) ? [[name, value]] : [])),
    );
  }

  /** The value of a variable; an empty one counts as not set. */
  read(name: string): string | undefined {
    const own = this.variables[name];
    const value = own || this.fromFile[name] || undefined;
    this.sources.set(name, value === undefined ? null : own ? 'environment' : '.env');
    return value;
  }

  /** Like `read`, or the trimmed content of the file that `NAME_FILE` names. */
  readSecret(name: string): string | undefined {
    const value = this.read(name);
    if (this.read(`${name}_FILE`) === undefined) return value;
    if (value !== undefined) {
      this.fault(`${name}_FILE`, `is set together with ${name}; set only one of them`);
      return value;
    }
    return this.readFileOf(`${name}_FILE`);
  }

  /** A secret that is sent in a header; null if it is not set or has a fault. */
  readKey(name: string): string | null {
    const key = this.readSecret(name) ?? null;
    if (key === null || /^[\x21-\x7e]+$/.test(key)) return key;
    this.fault(name, 'must consist of visible ASCII characters without a space or line break');
    return null;
  }

  /** The trimmed content of the file that a variable names; undefined if it is not set or has a fault. */
  readFileOf(name: string): string | undefined {
    const file = this.read(name);
    if (file === undefined) return undefined;
    this.files.add(file);
    try {
      return readFileSync(file, 'utf8').trim() || undefined;
    } catch (error) {
      this.fault(name, `names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
      return undefined;
    }
  }

  fault(key: string, problem: string): void {
    this.faults.push({ file: 'environment', line: null, model: null, key, problem });
  }
}

function readEnvFile(folder: string): NodeJS.Dict<string> {
  const file = join(folder, '.env');
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}

/** The environment of this process. */
export function processEnvironment(): Environment {
  return new Environment(process.env, process.cwd(), []);
}

/** Sets the variables that this process does not have. */
export function addToProcess(variables: NodeJS.Dict<string>): void {
  for (const [name, value] of Object.entries(variables)) if (value) process.env[name] ||= value;
}

/** Forward proxies, by the variables that other programs read, too. */
export function readProxy(environment: Environment): Proxies {
  const read = (name: string) => environment.read(name) ?? environment.read(name.toLowerCase());
  const httpProxy = read('HTTP_PROXY');
  const httpsProxy = read('HTTPS_PROXY');
  const noProxy = read('NO_PROXY');
  return { ...(httpProxy && { httpProxy }), ...(httpsProxy && { httpsProxy }), ...(noProxy && { noProxy }) };
}

/** An address without its possibly secret parts: user, password, query and fragment. */
export function maskedUrl(text: string): string {
  if (!URL.canParse(text)) return '…';
  const { protocol, host, pathname, username, password, search } = new URL(text);
  const who = username || password ? '…@' : '';
  return `${protocol}//${who}${host}${pathname === '/' ? '' : pathname}${search ? '?…' : ''}`;
}

const COMMIT = new URL('../commit', import.meta.url);

/** The version that package.json states, and the commit of a build: `0.1.0+6be41f2c0d1e`. */
export const GATEWAY_VERSION: string = [
  JSON.parse(readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8')).version,
  ...commits(),
].join('+');

/** None for sources that were not built, or not from a repository. */
function commits(): string[] {
  try {
    return [readFileSync(COMMIT, 'utf8')].filter((commit) => commit !== '');
  } catch {
    return [];
  }
}
