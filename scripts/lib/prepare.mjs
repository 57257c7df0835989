import { build, isBuilt } from './build.mjs';
import { CONSOLE, install, isInstalled, SERVER, TESTS } from './dependencies.mjs';
import { withLock } from './lock.mjs';
import { projectPath, say } from './project.mjs';
import { hasBuildNode } from './runtime.mjs';
import { buildWeb, isWebBuilt } from './web.mjs';

const server = { folder: SERVER.folder, isDone: isBuilt, run: build };
const web = { folder: CONSOLE.folder, isDone: isWebBuilt, run: buildWeb };

/** Installs missing packages and builds outdated files, to run the gateway. Fast if nothing changed. */
export function prepare() {
  return makeReady([SERVER, CONSOLE], [server, web]);
}

/** The same without the console's pages. */
export function prepareServer() {
  return makeReady([SERVER], [server]);
}

/** The same, including the packages for tests. */
export function prepareTests() {
  return makeReady([TESTS, CONSOLE], [server, web]);
}

/** Installs missing packages for the checks, and builds nothing. */
export function prepareDependencies() {
  return makeReady([TESTS, CONSOLE], []);
}

async function makeReady(packages, builds) {
  if (packages.every(isInstalled) && builds.every(({ isDone }) => isDone())) return;
  await withLock(projectPath('dist/.lock'), () => installAndBuild(packages, builds));
}

/**
 * The packages of both folders are installed at the same time, and each build starts when its packages are installed.
 */
async function installAndBuild(packages, builds) {
  const missing = packages.filter((set) => !isInstalled(set));
  if (missing.length > 0) say('Installing dependencies…');
  const installed = new Map(missing.map((set) => [set.folder, install(set)]));
  const built = builds.filter(({ isDone }) => !isDone()).map((one) => buildWhenInstalled(one, installed));
  const ends = await Promise.allSettled([...installed.values(), ...built]);
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

async function buildWhenInstalled({ folder, run }, installed) {
  await installed.get(folder);
  if (!hasBuildNode()) await installed.get(SERVER.folder);
  await run();
}
