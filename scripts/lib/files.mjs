import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectPath } from './project.mjs';

/**
 * The files below a folder of this checkout, as paths relative to the checkout; without those in its folder `except`.
 */
export function filesIn(folder, except) {
  return readdirSync(projectPath(folder), { withFileTypes: true })
    .filter(({ name }) => name !== except)
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(folder, entry.name) : [entry.name]))
    .sort();
}

function filesBelow(folder, name) {
  return readdirSync(projectPath(folder, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(projectPath(folder).length + 1));
}
