import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Vite generates the console's icons; no test uses them. */
const NO_ICON = 'data:text/javascript,export default () => null;';

/** `@jest/globals`: a module imports them once, and always sees those of the test file that runs. */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest;
let compile;

/** Defines `@jest/globals` and the compilation of TypeScript from now on; a worker runs one test file at a time. */
export function beginFile(globals, transform) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } = globals);
  compile = transform;
}

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('icon:')) return { url: NO_ICON, shortCircuit: true };
    if (specifier === '@jest/globals') return { url: import.meta.url, shortCircuit: true };
    const source = toSource(specifier, context.parentURL);
    return source ? { url: source, shortCircuit: true } : next(specifier, context);
  },
  load(url, context, next) {
    if (!url.startsWith('file:')) return next(url, context);
    const path = fileURLToPath(url);
    if (!path.endsWith('.ts') || path.includes('/node_modules/')) return next(url, context);
    return { format: 'module', source: compile(path, url), shortCircuit: true };
  },
});

/** The sources import each other by the names of the built files; those of the console without an extension. */
function toSource(specifier, parentUrl) {
  if (!/^\.{1,2}\//.test(specifier) || !parentUrl?.split('?')[0].endsWith('.ts')) return undefined;
  const url = new URL(`${specifier.replace(/\.js$/, '')}.ts`, parentUrl);
  return existsSync(url) ? url.href : undefined;
}
