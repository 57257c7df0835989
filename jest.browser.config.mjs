import base from './jest.config.mjs';

/** The console in a real browser: `npm run test:browser`. */
export default {
  ...base,
  roots: ['<rootDir>/test/browser'],
  testMatch: ['**/*.browser-spec.ts'],
  testTimeout: 120_000,
  maxWorkers: 4,
};
