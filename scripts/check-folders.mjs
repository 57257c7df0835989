// Checks that folders of src/ and web/src/ do not import each other in a circle: such folders should be merged, or
// their common part moved to a third folder. A folder means its own files, without those of its subfolders, which may use
// those of the folders that they stand in: files do not import each other in a circle. Specs and the lists of a module's
// parts are not counted.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Failure, runScript } from './lib/project.mjs';

const IMPORT = /(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g;
const NOT_COUNTED = /\.(spec|module)\.tsx?$/;

await runScript(async () => {
  const circles = ['src', 'web/src'].flatMap((root) => circlesIn(foldersOf(root)));
  if (circles.length === 0) return;
  throw new Failure(
    `Folders import each other in a circle:\n${circles.map((circle) => circle.join(' → ')).join('\n')}`,
  );
});

/** Each folder with the folders that its files import. */
function foldersOf(root) {
  const folders = new Map();
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || NOT_COUNTED.test(file)) continue;
    const folder = dirname(join(root, file));
    const known = folders.get(folder) ?? new Set();
    folders.set(folder, known);
    for (const [, path = ''] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
      const imported = dirname(normalize(join(folder, path)));
      if (!`${folder}/`.startsWith(`${imported}/`)) known.add(imported);
    }
  }
  return folders;
}

/** A shortest circle for each folder that is part of one; each circle is listed once. */
function circlesIn(folders) {
  const found = new Map();
  for (const start of folders.keys()) {
    const circle = shortestWay(folders, start);
    if (circle) found.set([...new Set(circle)].sort().join(), circle);
  }
  return [...found.values()];
}

function shortestWay(folders, start) {
  const ways = [[start]];
  const seen = new Set();
  for (const way of ways) {
    for (const next of folders.get(way.at(-1)) ?? []) {
      if (next === start) return [...way, start];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}
