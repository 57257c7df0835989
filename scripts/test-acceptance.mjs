import { existsSync } from 'node:fs';
import { Failure, projectPath, runScript, say } from './lib/project.mjs';
import { runJest } from './lib/run-jest.mjs';

const missing = ['fixtures', 'fixtures-responses'].filter((name) => !existsSync(projectPath('../shared', name)));

await runScript(async () => (missing.length > 0 ? reportMissing() : runJest('jest.acceptance.config.mjs')));

/** Without the recordings the suite is skipped, or fails with `TEST_RECORDINGS=required`. */
function reportMissing() {
  const message = `The recordings are missing: ${missing.map((name) => `../shared/${name}`).join(', ')}.`;
  if (process.env.TEST_RECORDINGS === 'required') throw new Failure(message);
  say(`${message} The acceptance suite is skipped; continuous integration runs it.`);
}
