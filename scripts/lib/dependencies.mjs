import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { Failure, projectPath } from './project.mjs';
import { hasGatewayNode } from './runtime.mjs';
import { removeUnreadFiles } from './unread-files.mjs';

/**
 * The packages to compile and run the server: package.json without its development packages, and build/package.json.
 */
export const SERVER = { folder: '', withDevelopment: false };
/** The packages for tests and checks, and those of the server. */
export const TESTS = { folder: '', withDevelopment: true };
/** The packages that build the console's pages. */
export const CONSOLE = { folder: 'web', withDevelopment: false };

/**
 * Whether node_modules contains the packages of package-lock.json, according to npm's record of the installation.
 * Optional packages are for one platform each and are not checked, except the one that contains Node, if it is needed.
 */
export function isInstalled({ folder, withDevelopment }) {
  const installed = lockedPackages(folder, 'node_modules/.package-lock.json');
  if (installed === undefined || (folder === '' && !hasGatewayNode())) return false;
  return Object.entries(lockedPackages(folder, 'package-lock.json') ?? {})
    .filter(([path, locked]) => path.startsWith('node_modules/') && isNeeded(locked, withDevelopment))
    .every(([path, locked]) => isSame(installed[path], locked));
}

/**
 * Installs the packages regardless of NODE_ENV and npm's settings. Correct packages are kept, because a running gateway
 * may use them. `isWhole`: packages keep all their files.
 */
export async function install({ folder, withDevelopment, isWhole = false }) {
  const isAdded = withDevelopment && isInstalled({ folder, withDevelopment: false });
  const how = isAdded ? ['install', '--no-save'] : ['ci'];
  const which = withDevelopment ? '--include=dev' : '--omit=dev';
  await runNpm(folder, [...how, which, '--include=optional', '--prefer-offline', '--loglevel=error']);
  if (!isWhole) removeUnreadFiles(projectPath(folder, 'node_modules'), { withDevelopment });
  // Both compilers contain a `tsc`; `npx tsc` runs the one that builds.
  if (withDevelopment) await runNpm(folder, ['rebuild', '@typescript/native', '--ignore-scripts', '--loglevel=error']);
}

async function runNpm(folder, args) {
  const { code, signal } = await npm(projectPath(folder), args);
  if (code === 0) return;
  throw new Failure(
    `The dependencies could not be installed (npm ended with ${signal ?? `exit code ${code}`}; see its error above). ` +
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

/** The environment without the folder that npm sets when it runs this script. */
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
