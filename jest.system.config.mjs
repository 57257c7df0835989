import base from './jest.config.mjs';

/** The built gateway and its commands in processes of their own: `npm run test:system`. */
export default {
  ...base,
  roots: ['<rootDir>/test/system'],
  testMatch: ['**/*.system-spec.ts'],
  maxWorkers: 4,
};
