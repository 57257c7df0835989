import base from './jest.config.mjs';

/** Minutes of mixed faults against one gateway: `npm run soak`. */
export default {
  ...base,
  roots: ['<rootDir>/test/soak'],
  testMatch: ['**/*.soak-spec.ts'],
  maxWorkers: 1,
};
