import base from './jest.config.mjs';

/** Several gateways on one PostgreSQL: `npm run test:replicas`. */
export default {
  ...base,
  roots: ['<rootDir>/test/replicas'],
  testMatch: ['**/*.replicas-spec.ts'],
  testTimeout: 600_000,
  maxWorkers: 1,
};
