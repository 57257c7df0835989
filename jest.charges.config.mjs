import base from './jest.config.mjs';

/** What callers are charged, against the bill of a provider: `npm run test:charges`. */
export default {
  ...base,
  roots: ['<rootDir>/test/charges'],
  testMatch: ['**/*.charges-spec.ts'],
  testTimeout: 600_000,
  maxWorkers: 1,
};
