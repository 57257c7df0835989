import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { runChild } from './lib/child.mjs';
import { install, isInstalled } from './lib/dependencies.mjs';
import { Failure, projectPath, runScript, say } from './lib/project.mjs';
import { runJest } from './lib/run-jest.mjs';

const CLIENTS = { folder: 'test/clients', withDevelopment: false, isWhole: true };
const PYTHON = projectPath('test/clients/.venv');
const REQUIREMENTS = projectPath('test/clients/requirements.txt');
const INSTALLED = projectPath('test/clients/.venv/installed.txt');

await runScript(async () => {
  if (!isInstalled(CLIENTS)) {
    say('Installing the clients…');
    await install(CLIENTS);
  }
  await installPythonClients();
  await runJest('jest.clients.config.mjs');
});

async function installPythonClients() {
  const wanted = readFileSync(REQUIREMENTS, 'utf8');
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === wanted) return;
  say('Installing the Python clients…');
  await python('python3', ['-m', 'venv', PYTHON]);
  await python(`${PYTHON}/bin/pip`, ['install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS]);
  writeFileSync(INSTALLED, wanted);
}

async function python(command, args) {
  const { code } = await runChild(command, args, { stdio: ['ignore', 2, 2] });
  if (code !== 0) throw new Failure(`${command} ${args[0]} ended with exit code ${code}; see its error above.`);
}
