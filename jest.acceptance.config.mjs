import base from './jest.config.mjs';

/** The adapters on recorded traffic of providers, which lies beside the checkout: `npm run test:acceptance`. */
export default {
  ...base,
  roots: ['<rootDir>/test/acceptance'],
  testMatch: ['**/*.acceptance-spec.ts'],
  globalSetup: undefined,
  globalTeardown: undefined,
  maxWorkers: 2,
};
