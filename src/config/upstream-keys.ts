import type { Environment } from './environment.js';
import { keyVariable } from './upstream-variables.js';

/** One of the API keys of an upstream. */
export interface UpstreamKey {
  /** Its number in the environment, or its name in upstreams.yaml; never the secret. */
  readonly name: string;
  readonly variable: string;
  readonly secret: string;
}

/** The API keys of an upstream in the environment. */
export interface UpstreamKeys {
  readonly keys: readonly UpstreamKey[];
  /** The variables that can contain a key, whether they are set or not. */
  readonly variables: readonly string[];
}

/** The names are labels of metrics. */
export const MAX_KEYS = 32;

const FIRST = '1';

/**
 * The keys in the list `names`, each in its own variable; without such a list `NAME_API_KEY`, `NAME_API_KEY_2` and so
 * on.
 */
export function readKeys(environment: Environment, prefix: string, names?: readonly string[]): UpstreamKeys {
  const listed = names ?? [FIRST, ...numbersOf(environment, prefix)];
  const all = listed.map((name) => ({
    name,
    variable: name === FIRST ? `${prefix}_API_KEY` : keyVariable(prefix, name),
  }));
  const keys: UpstreamKey[] = [];
  for (const { name, variable } of all) {
    const secret = environment.readKey(variable);
    const twin = keys.find((key) => key.secret === secret);
    if (twin) environment.fault(variable, `holds the same key as ${twin.variable}; set each key once`);
    else if (secret !== null) keys.push({ name, variable, secret });
  }
  return { keys, variables: all.map(({ variable }) => variable) };
}

function numbersOf(environment: Environment, prefix: string): string[] {
  const start = `${prefix}_API_KEY_`;
  const ends = environment
    .names()
    .filter((name) => name.startsWith(start))
    .map((name) => name.slice(start.length).replace(/_FILE$/, ''));
  const numbers = [...new Set(ends)].filter((end) => /^[1-9]\d?$/.test(end)).map(Number);
  return numbers
    .filter((number) => number >= 2 && number <= MAX_KEYS)
    .sort((a, b) => a - b)
    .map(String);
}
