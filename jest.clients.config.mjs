import base from './jest.config.mjs';

/** Other projects' clients against a gateway with scripted upstreams: `npm run test:clients`. */
export default {
  ...base,
  roots: ['<rootDir>/test/clients'],
  testMatch: ['**/*.clients-spec.ts'],
  testTimeout: 180_000,
  maxWorkers: 2,
};
