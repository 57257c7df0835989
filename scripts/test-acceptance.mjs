import { existsSync } from 'node:fs';
import { prepareTests } from './lib/prepare.mjs';
import { Failure, projectPath, runScript, say } from './lib/project.mjs';
import { becomeNode } from './lib/runtime.mjs';

// Jest loads ES modules through vm modules, which Node still calls experimental.
const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const config = ['--config', projectPath('jest.acceptance.config.mjs')];

const missing = ['fixtures', 'fixtures-responses'].filter((name) => !existsSync(projectPath('../shared', name)));

await runScript(async () => {
  if (missing.length > 0) return reportMissing();
  await prepareTests();
  await becomeNode([...options, projectPath('node_modules/jest/bin/jest.js'), ...config, ...process.argv.slice(2)]);
});

/** Without the recordings the suite is skipped, or fails with `TEST_RECORDINGS=required`. */
function reportMissing() {
  const message = `The recordings are missing: ${missing.map((name) => `../shared/${name}`).join(', ')}.`;
  if (process.env.TEST_RECORDINGS === 'required') throw new Failure(message);
  say(`${message} The acceptance suite is skipped; continuous integration runs it.`);
}
