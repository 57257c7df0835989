export default {
  testEnvironment: '<rootDir>/scripts/lib/jest/native.environment.mjs',
  runtime: '<rootDir>/scripts/lib/jest/native.runtime.mjs',
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/web/src'],
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  injectGlobals: false,
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': '@swc/jest' },
  globalSetup: '<rootDir>/scripts/lib/test-databases.setup.mjs',
  globalTeardown: '<rootDir>/scripts/lib/test-databases.teardown.mjs',
  testSequencer: '<rootDir>/scripts/lib/jest/longest-first.sequencer.mjs',
  reporters: ['default', '<rootDir>/scripts/lib/closing-line.reporter.mjs'],
  testTimeout: 90_000,
  // More than two cores: many tests wait for timers.
  maxWorkers: 6,
};
