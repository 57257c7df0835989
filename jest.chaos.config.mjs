import base from './jest.config.mjs';

/** Faults in what runs, and what they lose: `npm run chaos`. */
export default {
  ...base,
  roots: ['<rootDir>/test/chaos'],
  testMatch: ['**/*.chaos-spec.ts'],
  testTimeout: 600_000,
  maxWorkers: 1,
};
