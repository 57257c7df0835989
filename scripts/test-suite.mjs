import { runScript } from './lib/project.mjs';
import { runJest } from './lib/run-jest.mjs';

// Runs the suite that the first argument names, for example `test-suite.mjs chaos`; the others are options of Jest.
const [suite, ...options] = process.argv.slice(2);
await runScript(() => runJest(`jest.${suite}.config.mjs`, options));
