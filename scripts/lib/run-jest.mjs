import { prepareTests } from './prepare.mjs';
import { projectPath } from './project.mjs';
import { becomeNode } from './runtime.mjs';

// Jest loads ES modules through vm modules, which Node still calls experimental.
const NODE_OPTIONS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const JEST = projectPath('node_modules/jest/bin/jest.js');

/** Installs and builds what is missing, then runs Jest in this process's place. `config`: a file in the project's root. */
export async function runJest(config, options = process.argv.slice(2)) {
  await prepareTests();
  await becomeNode([...NODE_OPTIONS, JEST, '--config', projectPath(config), ...options]);
}
