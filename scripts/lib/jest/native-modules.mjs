import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { projectPath } from '../project.mjs';

/** Vite generates the console's icons; no test uses them. */
const NO_ICON = 'data:text/javascript,export default () => null;';
const GLOBALS = 'jest-globals:';
const OF_A_TEST = new RegExp(`^${projectPath('test')}/|\\.(browser-|e2e-)?spec\\.ts$`);

/** The test file that is running; a worker runs one at a time. */
let current = { number: 0, globals: {}, transform: undefined };

/** Defines how modules are loaded from now on: `@jest/globals`, and the compilation of TypeScript files. */
export function beginFile(globals, transform) {
  current = { number: current.number + 1, globals, transform };
  globalThis[Symbol.for(GLOBALS)] = globals;
  return current.number;
}

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('icon:')) return { url: NO_ICON, shortCircuit: true };
    if (specifier === '@jest/globals') return { url: `${GLOBALS}${current.number}`, shortCircuit: true };
    const { url, ...resolved } = next(toSource(specifier, context.parentURL), context);
    // Loaded separately for each test file; the tested code and the libraries are loaded only once.
    const isFresh = url.startsWith('file:') && OF_A_TEST.test(fileURLToPath(url)) && !url.includes('?');
    return { ...resolved, url: isFresh ? `${url}?${current.number}` : url, shortCircuit: true };
  },
  load(url, context, next) {
    if (url.startsWith(GLOBALS)) return { format: 'module', source: globalsSource(), shortCircuit: true };
    if (!url.startsWith('file:')) return next(url, context);
    const path = fileURLToPath(url);
    if (!path.endsWith('.ts') || path.includes('/node_modules/')) return next(url, context);
    return { format: 'module', source: current.transform(path, url), shortCircuit: true };
  },
});

/** The sources import each other by the names of the built files; those of the console without an extension. */
function toSource(specifier, parentUrl) {
  if (!/^\.{1,2}\//.test(specifier) || !parentUrl?.split('?')[0].endsWith('.ts')) return specifier;
  const source = `${specifier.replace(/\.js$/, '')}.ts`;
  return existsSync(new URL(source, parentUrl)) ? source : specifier;
}

function globalsSource() {
  const names = Object.keys(current.globals).join(', ');
  return `export const { ${names} } = globalThis[Symbol.for('${GLOBALS}')];`;
}
