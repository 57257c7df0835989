import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { runChild } from './lib/child.mjs';
import { chromiumPath } from './lib/chromium.mjs';
import { install, isInstalled } from './lib/dependencies.mjs';
import { prepareTests } from './lib/prepare.mjs';
import { Failure, projectPath, runScript, say } from './lib/project.mjs';
import { becomeNode } from './lib/runtime.mjs';

// Runs a suite of jest.config.mjs: `test.mjs --suite=system`, without it the specs. The other arguments are Jest's.

/** What a suite needs beyond packages and builds; a step that returns false leaves the suite out. */
const PREPARATIONS = { browser: findChromium, clients: installClients, acceptance: findRecordings };

// Jest loads ES modules through vm modules, which Node still calls experimental.
const NODE_OPTIONS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

const [first = '', ...others] = process.argv.slice(2);
const [, suite = ''] = /^--suite=(\w+)$/.exec(first) ?? [];

await runScript(async () => {
  if ((await PREPARATIONS[suite]?.()) === false) return;
  await prepareTests();
  process.env.TEST_SUITE = suite;
  const config = ['--config', projectPath('jest.config.mjs')];
  const options = suite ? others : process.argv.slice(2);
  await becomeNode([...NODE_OPTIONS, projectPath('node_modules/jest/bin/jest.js'), ...config, ...options]);
});

function findChromium() {
  process.env.CHROMIUM_PATH = chromiumPath();
}

/** Without the recordings the suite is skipped, or fails with `TEST_RECORDINGS=required`. */
function findRecordings() {
  const missing = ['fixtures', 'fixtures-responses'].filter((name) => !existsSync(projectPath('../shared', name)));
  if (missing.length === 0) return true;
  const message = `The recordings are missing: ${missing.map((name) => `../shared/${name}`).join(', ')}.`;
  if (process.env.TEST_RECORDINGS === 'required') throw new Failure(message);
  say(`${message} The acceptance suite is skipped; continuous integration runs it.`);
  return false;
}

async function installClients() {
  const clients = { folder: 'test/clients', withDevelopment: false, isWhole: true };
  if (!isInstalled(clients)) {
    say('Installing the clients…');
    await install(clients);
  }
  const requirements = projectPath('test/clients/requirements.txt');
  const python = projectPath('test/clients/.venv');
  const installed = `${python}/installed.txt`;
  const required = readFileSync(requirements, 'utf8');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === required) return;
  say('Installing the Python clients…');
  await run('python3', ['-m', 'venv', python]);
  await run(`${python}/bin/pip`, ['install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  writeFileSync(installed, required);
}

async function run(command, args) {
  const { code } = await runChild(command, args, { stdio: ['ignore', 2, 2] });
  if (code !== 0) throw new Failure(`${command} ${args[0]} ended with exit code ${code}; see its error above.`);
}
