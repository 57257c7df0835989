export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/web/src'],
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  injectGlobals: false,
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': '@swc/jest' },
  globalSetup: '<rootDir>/scripts/lib/test-databases.setup.mjs',
  globalTeardown: '<rootDir>/scripts/lib/test-databases.teardown.mjs',
  reporters: ['default', '<rootDir>/scripts/lib/closing-line.reporter.mjs'],
  testTimeout: 90_000,
  maxWorkers: 2,
};
