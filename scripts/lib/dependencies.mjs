import { readFileSync } from 'node:fs';
import { runChild } from './child.mjs';
import { Failure, projectPath, say } from './project.mjs';
import { hasGatewayNode } from './runtime.mjs';

/**
 * Whether node_modules holds what package-lock.json asks for, by npm's own record of what it installed. Optional
 * packages are for one platform each and not looked at, except the one that brings Node where it is needed.
 */
export function areDependenciesInstalled() {
  const installed = lockedPackages('node_modules/.package-lock.json');
  if (installed === undefined || !hasGatewayNode()) return false;
  return Object.entries(lockedPackages('package-lock.json') ?? {})
    .filter(([path, locked]) => path !== '' && !locked.optional && !locked.devOptional && !locked.peer)
    .every(([path, locked]) => isSame(installed[path], locked));
}

/** Installs what package-lock.json asks for, build tools included, whatever NODE_ENV or npm's settings leave out. */
export async function installDependencies() {
  say('Installing dependencies…');
  const args = ['ci', '--include=dev', '--include=optional', '--prefer-offline', '--loglevel=error'];
  const { code, signal } = await runNpm(args);
  if (code !== 0) {
    throw new Failure(
      `The dependencies could not be installed (npm ended with ${signal ?? `exit code ${code}`}; its reason stands above). ` +
        'If the package registry was not reached, check the network and the registry and proxy settings of npm, then run the command again.',
    );
  }
}

async function runNpm(args) {
  const { npm_execpath: script, npm_node_execpath: node = process.execPath } = process.env;
  const options = { cwd: projectPath(), stdio: ['ignore', 2, 2] };
  try {
    if (script !== undefined) return await runChild(node, [script, ...args], options);
    return await runChild('npm', args, { ...options, shell: process.platform === 'win32' });
  } catch (error) {
    throw new Failure(`npm could not be started: ${error.message}`);
  }
}

function lockedPackages(file) {
  try {
    return JSON.parse(readFileSync(projectPath(file), 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isSame(installed, locked) {
  return installed?.version === locked.version && installed?.integrity === locked.integrity;
}
