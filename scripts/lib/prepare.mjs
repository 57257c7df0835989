import { build, isBuilt } from './build.mjs';
import { CONSOLE, install, isInstalled, SERVER, TESTS } from './dependencies.mjs';
import { withLock } from './lock.mjs';
import { projectPath } from './project.mjs';
import { buildWeb, isWebBuilt } from './web.mjs';

const server = { isDone: isBuilt, run: build };
const web = { isDone: isWebBuilt, run: buildWeb };

/** Installs what is missing and builds what is stale, to run the gateway; quick when nothing changed. */
export function prepare() {
  return makeReady([SERVER, CONSOLE], [server, web]);
}

/** The same without the console's pages. */
export function prepareServer() {
  return makeReady([SERVER], [server]);
}

/** The same with what tests need. */
export function prepareTests() {
  return makeReady([TESTS, CONSOLE], [server, web]);
}

/** Installs what is missing for the checks, and builds nothing. */
export function prepareDependencies() {
  return makeReady([TESTS, CONSOLE], []);
}

async function makeReady(packages, builds) {
  const isReady = () => packages.every(isInstalled) && builds.every(({ isDone }) => isDone());
  if (isReady()) return;
  await withLock(projectPath('dist/.lock'), async () => {
    if (!packages.every(isInstalled)) await install(packages);
    const ends = await Promise.allSettled(builds.filter(({ isDone }) => !isDone()).map(({ run }) => run()));
    const failed = ends.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
  });
}
