import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { prepare } from './lib/prepare.mjs';
import { Failure, projectPath, runScript, say } from './lib/project.mjs';

// Checks the size of the JavaScript that each page loads (gzip): the script of the theme, the entry with the shell
// around the page, and the page.
const budget = 200_000;
const mostFiles = 6;

const theme = 'theme.js';

await runScript(async () => {
  await prepare();
  const manifest = JSON.parse(readFileSync(projectPath('dist/web/.vite/manifest.json'), 'utf8'));
  const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
  const pages = Object.keys(manifest)
    .filter((key) => key.endsWith('.page.tsx') && manifest[key].isDynamicEntry)
    .map((page) => toLoad(manifest, [entry, page], page))
    .sort((a, b) => b.size - a.size);
  if (pages.length === 0) throw new Failure('The build lists no pages: its manifest has an unexpected format.');
  const [largest] = pages;
  const most = Math.max(...pages.map(({ files }) => files));
  say(
    `The largest page, ${largest.page}, loads ${inKilobytes(largest.size)} of JavaScript (gzip), of at most ${inKilobytes(budget)}.`,
  );
  say(`No page loads more than ${most} files, of at most ${mostFiles}.`);
  const tooLarge = pages.filter(({ size, files }) => size > budget || files > mostFiles);
  for (const { page, size, files } of tooLarge) say(`${page}: ${inKilobytes(size)} in ${files} files`);
  if (tooLarge.length > 0)
    throw new Failure('This is too much: use import() for code that a page does not need immediately.');
});

function toLoad(manifest, keys, page) {
  const chunks = new Set();
  for (const key of keys) addChunks(manifest, key, chunks);
  const files = [theme, ...new Set([...chunks].map((key) => manifest[key].file))];
  return { page, files: files.length, size: files.reduce((sum, file) => sum + gzippedSize(file), 0) };
}

function addChunks(manifest, key, seen) {
  if (seen.has(key)) return;
  if (!manifest[key]) throw new Failure(`The build has no ${key}: the list in this script is out of date.`);
  seen.add(key);
  for (const imported of manifest[key].imports ?? []) addChunks(manifest, imported, seen);
}

function gzippedSize(file) {
  return gzipSync(readFileSync(projectPath('dist/web', file)), { level: 9 }).length;
}

function inKilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
