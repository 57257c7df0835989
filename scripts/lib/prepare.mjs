import { build, isBuilt } from './build.mjs';
import { areDependenciesInstalled, installDependencies } from './dependencies.mjs';
import { withLock } from './lock.mjs';
import { projectPath } from './project.mjs';

/** Installs what is missing and builds what is stale; quick when nothing changed. */
export async function prepare() {
  if (areDependenciesInstalled() && isBuilt()) return;
  await alone(async () => {
    if (!areDependenciesInstalled()) await installDependencies();
    if (!isBuilt()) await build();
  });
}

/** Installs what is missing, and builds nothing. */
export async function prepareDependencies() {
  if (areDependenciesInstalled()) return;
  await alone(async () => {
    if (!areDependenciesInstalled()) await installDependencies();
  });
}

function alone(task) {
  return withLock(projectPath('dist/.lock'), task);
}
