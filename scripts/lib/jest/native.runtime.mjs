import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { inTime } from './native.environment.mjs';
import { beginFile } from './native-modules.mjs';

const require = createRequire(import.meta.url);
/** A worker may run a file again. */
let files = 0;
/** By the address of a module. */
const sourceMaps = new Map();
const MODULES = { supportsStaticESM: true, supportsDynamicImport: true, supportsTopLevelAwait: true };

/** Runs test files like Node itself, and loads the tested code once in each worker. See README.md in this folder. */
export default class NativeRuntime {
  constructor(config, environment, _resolver, transformer) {
    this.config = config;
    this.environment = environment;
    this.transformer = transformer;
  }

  /** Jest's test framework: it keeps the state of a file in its module and in globals. */
  requireInternalModule(path) {
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
    }
    delete require.cache[path];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    beginFile({ ...globals, jest: this.jest() }, (path, url) => this.transform(path, url));
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return inTime(import(`${pathToFileURL(path)}?${++files}`), 'What the file starts is not ready');
  }

  /** The path of a module's source map, for stack traces. */
  getSourceMaps() {
    return sourceMaps;
  }

  enterTestCode() {}
  leaveTestCode() {}
  resetModules() {}
  clearAllMocks() {
    this.environment.moduleMocker.clearAllMocks();
  }
  resetAllMocks() {
    this.environment.moduleMocker.resetAllMocks();
  }
  restoreAllMocks() {
    this.environment.moduleMocker.restoreAllMocks();
  }
  getAllCoverageInfoCopy() {
    return undefined;
  }
  teardown() {}

  transform(path, url) {
    const { code, sourceMapPath } = this.transformer.transform(path, MODULES);
    if (sourceMapPath) sourceMaps.set(url, sourceMapPath);
    return code;
  }

  jest() {
    const { moduleMocker, fakeTimersModern } = this.environment;
    return {
      fn: moduleMocker.fn.bind(moduleMocker),
      spyOn: moduleMocker.spyOn.bind(moduleMocker),
      restoreAllMocks: () => moduleMocker.restoreAllMocks(),
      useFakeTimers: (options) => fakeTimersModern.useFakeTimers(options),
      useRealTimers: () => fakeTimersModern.useRealTimers(),
      advanceTimersByTimeAsync: (ms) => fakeTimersModern.advanceTimersByTimeAsync(ms),
    };
  }
}
