import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const SOURCE = resolve(import.meta.dirname, '..');
const MODULES = resolve(SOURCE, '../node_modules/@mantine');
const CORE = join(MODULES, 'core/esm');
const NAMED = /import (?:type )?\{([^}]*)\} from ['"]@mantine\/core['"]/g;

describe('the styles of Mantine', () => {
  it('are loaded for every component that the console uses', () => {
    const css = readFileSync(resolve(SOURCE, 'theme/mantine.css'), 'utf8');
    const missing = usedComponents().filter((name) => !css.includes(`/${name}.layer.css`));
    expect(missing).toEqual([]);
  });
});

/** Those with styles, with the components that they consist of. */
function usedComponents(): string[] {
  const index = readFileSync(join(CORE, 'index.mjs'), 'utf8');
  const files = [...index.matchAll(/import \{ ([^}]*) \} from "([^"]*)"/g)];
  const used = namesIn(SOURCE, '**/*.{ts,tsx}').union(namesIn(MODULES, '{dates,notifications}/esm/**/*.mjs'));
  const reached = new Set<string>();
  for (const [, names = '', file = ''] of files) {
    if (names.split(', ').some((name) => used.has(name))) reached.add(join(CORE, file));
  }
  for (const file of reached) {
    for (const [, imported = ''] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]*\.mjs)"/g)) {
      reached.add(join(dirname(file), imported));
    }
  }
  return [...reached].flatMap((file) => /(\w+)\.module\.mjs$/.exec(file)?.[1] ?? []);
}

function namesIn(folder: string, pattern: string): Set<string> {
  const names = globSync(pattern, { cwd: folder }).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(NAMED)].flatMap(([, list = '']) => list.split(',')),
  );
  return new Set(names.map((name) => name.replace('type ', '').trim()));
}
