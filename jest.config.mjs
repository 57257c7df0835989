const MINUTE = 60_000;

/**
 * What each suite has of its own; its files are `test/NAME/**.NAME-spec.ts`. `scripts/test.mjs NAME` prepares and runs a
 * suite. Without TEST_SUITE, Jest runs the specs of `npm test`.
 */
const SUITES = {
  // The built gateway and its commands in processes of their own.
  system: { maxWorkers: 4 },
  // The console in a real browser.
  browser: { testTimeout: 2 * MINUTE, maxWorkers: 3 },
  // Several gateways on one PostgreSQL.
  replicas: { testTimeout: 10 * MINUTE, maxWorkers: 1 },
  // Faults in what runs, and what they lose.
  chaos: { testTimeout: 10 * MINUTE, maxWorkers: 1 },
  // What callers are charged, against the bill of a provider.
  charges: { testTimeout: 10 * MINUTE, maxWorkers: 1 },
  // Minutes of mixed faults against one gateway.
  soak: { maxWorkers: 1 },
  // Other projects' clients against a gateway with scripted upstreams.
  clients: { testTimeout: 3 * MINUTE, maxWorkers: 2 },
  // The adapters on recorded traffic of providers, which lies beside the checkout.
  acceptance: { globalSetup: undefined, globalTeardown: undefined, maxWorkers: 2 },
};

const suite = process.env.TEST_SUITE;
if (suite && !Object.hasOwn(SUITES, suite))
  throw new Error(`TEST_SUITE must be one of ${Object.keys(SUITES).join(', ')}.`);

export default {
  testEnvironment: '<rootDir>/scripts/lib/jest/native.environment.mjs',
  runtime: '<rootDir>/scripts/lib/jest/native.runtime.mjs',
  roots: suite ? [`<rootDir>/test/${suite}`] : ['<rootDir>/src', '<rootDir>/test', '<rootDir>/web/src'],
  testMatch: suite ? [`**/*.${suite}-spec.ts`] : ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  injectGlobals: false,
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': '@swc/jest' },
  globalSetup: '<rootDir>/scripts/lib/test-databases.setup.mjs',
  globalTeardown: '<rootDir>/scripts/lib/test-databases.teardown.mjs',
  testSequencer: '<rootDir>/scripts/lib/jest/longest-first.sequencer.mjs',
  reporters: ['default', '<rootDir>/scripts/lib/closing-line.reporter.mjs'],
  testTimeout: 1.5 * MINUTE,
  // More than two cores: many tests wait for timers.
  maxWorkers: 6,
  ...SUITES[suite],
};
