import { runScript } from './lib/project.mjs';
import { runJest } from './lib/run-jest.mjs';

await runScript(() => runJest('jest.config.mjs'));
