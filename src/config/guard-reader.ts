import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ConfigFile, Fault } from './config-file.js';
import type { Environment } from './environment.js';
import type { GatewayFile } from './gateway.settings.js';
import { type GuardSettings, wordList } from './guard.settings.js';

/** The guards of gateway.yaml; adds what is wrong with their files and names to `faults`. */
export function readGuards(
  { value, content, fault }: ConfigFile<GatewayFile>,
  folder: string,
  environment: Environment,
  upstreams: ReadonlySet<string>,
  faults: Fault[],
): ReadonlyMap<string, GuardSettings> {
  const guards = new Map<string, GuardSettings>();
  for (const [own, settings] of Object.entries(value?.guards ?? {})) {
    const at = (...path: string[]) => ['guards', own, ...path];
    const secret = environment.readSecret(`GUARD_${own.toUpperCase().replaceAll('-', '_')}_SECRET`) ?? null;
    const lists = Object.entries(settings.words).map(([list, entry]) => {
      if (Array.isArray(entry)) return [list, entry] as const;
      const read = wordsIn(resolve(folder, entry.file));
      if (typeof read === 'string') faults.push(fault(at('words', list, 'file'), read));
      return [list, typeof read === 'string' ? [] : read] as const;
    });
    if (settings.moderation && !upstreams.has(settings.moderation.upstream)) {
      faults.push(
        fault(at('moderation', 'upstream'), `is not an upstream of upstreams.yaml: ${settings.moderation.upstream}`),
      );
    }
    guards.set(own, { ...settings, name: own, words: Object.fromEntries(lists), secret, line: fault(at(), '').line });
  }
  for (const [index, own] of (value?.guardsForAll ?? []).entries()) {
    if (!guards.has(own)) faults.push(fault(['guardsForAll', index], `is not one of the guards: ${own}`));
  }
  return content === undefined ? new Map() : guards;
}

/** The words of a file, one on each line; a text says why there are none. */
function wordsIn(path: string): readonly string[] | string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const { success, data } = wordList.safeParse(lines);
  return success ? data : 'must have 1 to 50000 words of at most 200 characters, one on each line';
}
