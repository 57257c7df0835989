import { build, isBuilt } from './build.mjs';
import { areDependenciesInstalled, installDependencies } from './dependencies.mjs';
import { withLock } from './lock.mjs';
import { projectPath } from './project.mjs';
import { buildWeb, isWebBuilt } from './web.mjs';

/** Installs what is missing and builds what is stale; quick when nothing changed. */
export async function prepare() {
  if (areDependenciesInstalled() && isBuilt() && isWebBuilt()) return;
  await alone(async () => {
    await prepareServerAlone();
    if (!isWebBuilt()) await buildWeb();
  });
}

/** The same without the console's pages. */
export async function prepareServer() {
  if (areDependenciesInstalled() && isBuilt()) return;
  await alone(prepareServerAlone);
}

/** Installs what is missing, and builds nothing. */
export async function prepareDependencies() {
  if (areDependenciesInstalled()) return;
  await alone(async () => {
    if (!areDependenciesInstalled()) await installDependencies();
  });
}

async function prepareServerAlone() {
  if (!areDependenciesInstalled()) await installDependencies();
  if (!isBuilt()) await build();
}

function alone(task) {
  return withLock(projectPath('dist/.lock'), task);
}
