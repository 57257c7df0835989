import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Fault } from './settings.error.js';

/** Where a variable was found; null if nowhere. */
export type VariableSource = 'environment' | '.env' | null;

/**
 * Variables of the process, then those of a `.env` file in `folder`; each can also be given as a file with `NAME_FILE`.
 */
export class Environment {
  /** Every variable that was read, with where it was found. */
  readonly sources = new Map<string, VariableSource>();
  private readonly fromFile: NodeJS.Dict<string>;

  constructor(
    private readonly variables: NodeJS.ProcessEnv,
    folder: string,
    readonly faults: Fault[],
  ) {
    const file = join(folder, '.env');
    this.fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  }

  /** The names of the variables that are set. */
  names(): string[] {
    const set = { ...this.fromFile, ...this.variables };
    return Object.keys(set).filter((name) => set[name]);
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
    try {
      return readFileSync(file, 'utf8').trim() || undefined;
    } catch (error) {
      this.fault(name, `names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
      return undefined;
    }
  }

  fault(key: string, problem: string): void {
    this.faults.push({ file: 'environment', key, problem });
  }
}
