import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { Failure, projectPath } from './project.mjs';
import { hasGatewayNode } from './runtime.mjs';
import { removeUnreadFiles } from './unread-files.mjs';

/** What the server needs to be compiled and to run: package.json without its development packages, and build/package.json. */
export const SERVER = { folder: '', withDevelopment: false };
/** What the tests and the checks need, and what the server needs. */
export const TESTS = { folder: '', withDevelopment: true };
/** What the console's pages are built with. */
export const CONSOLE = { folder: 'web', withDevelopment: false };

/**
 * Whether node_modules holds what package-lock.json asks for, by npm's own record of what it installed. Optional
 * packages are for one platform each and not looked at, except the one that brings Node where it is needed.
 */
export function isInstalled({ folder, withDevelopment }) {
  const installed = lockedPackages(folder, 'node_modules/.package-lock.json');
  if (installed === undefined || (folder === '' && !hasGatewayNode())) return false;
  return Object.entries(lockedPackages(folder, 'package-lock.json') ?? {})
    .filter(([path, locked]) => path.startsWith('node_modules/') && isNeeded(locked, withDevelopment))
    .every(([path, locked]) => isSame(installed[path], locked));
}

/** Whatever NODE_ENV or npm's settings leave out. What is there and right is kept: a gateway may be running on it. `isWhole`: packages keep all their files. */
export async function install({ folder, withDevelopment, isWhole = false }) {
  const isAdded = withDevelopment && isInstalled({ folder, withDevelopment: false });
  const how = isAdded ? ['install', '--no-save'] : ['ci'];
  const which = withDevelopment ? '--include=dev' : '--omit=dev';
  await runNpm(folder, [...how, which, '--include=optional', '--prefer-offline', '--loglevel=error']);
  if (!isWhole) removeUnreadFiles(projectPath(folder, 'node_modules'), { withDevelopment });
  // Both compilers bring a `tsc`: `npx tsc` is the one that builds.
  if (withDevelopment) await runNpm(folder, ['rebuild', '@typescript/native', '--ignore-scripts', '--loglevel=error']);
}

async function runNpm(folder, args) {
  const { code, signal } = await npm(projectPath(folder), args);
  if (code === 0) return;
  throw new Failure(
    `The dependencies could not be installed (npm ended with ${signal ?? `exit code ${code}`}; its reason stands above). ` +
      'If the package registry was not reached, check the network and the registry and proxy settings of npm, then run the command again.',
  );
}

async function npm(cwd, args) {
  const { npm_execpath: script, npm_node_execpath: node = process.execPath } = process.env;
  const options = { cwd, env: environment(), stdio: ['ignore', 2, 2] };
  try {
    if (script !== undefined) return await runChild(node, [script, ...args], options);
    return await runChild('npm', args, { ...options, shell: process.platform === 'win32' });
  } catch (error) {
    throw new Failure(`npm could not be started: ${error.message}`);
  }
}

/** Without the folder that an npm which runs this script works in. */
function environment() {
  const { npm_config_local_prefix: _, ...rest } = process.env;
  return rest;
}

function lockedPackages(folder, file) {
  const path = projectPath(join(folder, file));
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isNeeded({ dev, optional, devOptional, peer, link }, withDevelopment) {
  return !optional && !devOptional && !peer && !link && (withDevelopment || !dev);
}

function isSame(installed, locked) {
  return installed?.version === locked.version && installed?.integrity === locked.integrity;
}
