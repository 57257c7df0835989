import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { prepare } from './lib/prepare.mjs';
import { Failure, projectPath, runScript, say } from './lib/project.mjs';

// The JavaScript that a browser must have before it shows the first page: the entry and what that imports statically.
const budget = 200_000;

await runScript(async () => {
  await prepare();
  const manifest = JSON.parse(readFileSync(projectPath('dist/web/.vite/manifest.json'), 'utf8'));
  const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
  const files = [...chunksOf(manifest, entry)].map((key) => manifest[key].file);
  const size = files.map((file) => gzippedSize(file)).reduce((sum, one) => sum + one, 0);
  say(`The first page needs ${inKilobytes(size)} of JavaScript (gzip), of at most ${inKilobytes(budget)}.`);
  if (size > budget) throw new Failure('That is too much: load what the first page does not need with import().');
});

function chunksOf(manifest, key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const imported of manifest[key].imports ?? []) chunksOf(manifest, imported, seen);
  return seen;
}

function gzippedSize(file) {
  return gzipSync(readFileSync(projectPath('dist/web', file)), { level: 9 }).length;
}

function inKilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
