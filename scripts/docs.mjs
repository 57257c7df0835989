import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { apiTypes } from './lib/api-types.mjs';
import { prepareTests } from './lib/prepare.mjs';
import { Failure, projectPath, runScript, say } from './lib/project.mjs';
import { table, tableOfUpstreams } from './lib/tables.mjs';

// Writes the files that are generated from the code: tables in docs/, and the API types of the console. With --check it
// only reports whether they are up to date.

const checkOnly = process.argv.includes('--check');

await runScript(async () => {
  await prepareTests();
  const stale = [
    ['docs/upstreams.md', withTable('docs/upstreams.md', await upstreamTable())],
    ['docs/licences.md', withTable('docs/licences.md', licenceTable())],
    ['web/src/api/schema.ts', await apiTypes()],
  ].filter(([file, text]) => textOf(file) !== text);
  for (const [file, text] of stale) {
    if (!checkOnly) writeFileSync(projectPath(file), text);
    say(`${file} ${checkOnly ? 'is out of date: run "npm run docs"' : 'was written'}`);
  }
  if (checkOnly && stale.length > 0) throw new Failure('Generated files are out of date.');
});

async function upstreamTable() {
  const { PROVIDERS } = await import(pathToFileURL(projectPath('dist/upstreams/providers/providers.js')).href);
  return tableOfUpstreams(PROVIDERS);
}

/**
 * The packages that `npm start` installs, from npm's lock files; without the platform-specific programs that build the
 * pages.
 */
function licenceTable() {
  const rows = [...packagesOf('package-lock.json'), ...packagesOf('web/package-lock.json').filter(isForAll)]
    .filter(([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link)
    .map(([path, { version, license = 'see the package' }]) => [path.split('node_modules/').at(-1), version, license])
    .sort(([a, x], [b, y]) => a.localeCompare(b) || x.localeCompare(y));
  const unique = rows.filter((row, index) => row.join() !== rows[index - 1]?.join());
  return table(['package', 'version', 'licence'], unique);
}

function packagesOf(lockFile) {
  return Object.entries(JSON.parse(readFileSync(projectPath(lockFile), 'utf8')).packages);
}

function isForAll([, { optional }]) {
  return !optional;
}

function withTable(file, table) {
  const text = textOf(file) ?? '';
  const [begin, end] = ['<!-- made by npm run docs -->', '<!-- end -->'];
  if (!text.includes(begin)) throw new Failure(`${file} lacks the mark "${begin}".`);
  return `${text.slice(0, text.indexOf(begin))}${begin}\n\n${table}\n\n${text.slice(text.indexOf(end))}`;
}

function textOf(file) {
  return existsSync(projectPath(file)) ? readFileSync(projectPath(file), 'utf8') : null;
}
