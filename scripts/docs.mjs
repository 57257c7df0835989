import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { apiTypes } from './lib/api-types.mjs';
import { prepare } from './lib/prepare.mjs';
import { Failure, projectPath, runScript, say } from './lib/project.mjs';
import { table, tableOfUpstreams } from './lib/tables.mjs';

// Writes what is made from the code: tables in docs/, and the types that the web app knows the API by. With --check it
// only says whether they are up to date.

const checkOnly = process.argv.includes('--check');

await runScript(async () => {
  await prepare();
  const stale = [
    ['docs/upstreams.md', withTable('docs/upstreams.md', await upstreamTable())],
    ['docs/architecture.md', withTable('docs/architecture.md', await stepTable())],
    ['docs/licences.md', withTable('docs/licences.md', licenceTable())],
    ['web/src/api/schema.ts', await apiTypes()],
  ].filter(([file, text]) => textOf(file) !== text);
  for (const [file, text] of stale) {
    if (!checkOnly) writeFileSync(projectPath(file), text);
    say(`${file} ${checkOnly ? 'is out of date: run "npm run docs"' : 'was written'}`);
  }
  if (checkOnly && stale.length > 0) throw new Failure('What is made from the code is not what the code says.');
});

async function upstreamTable() {
  const { PROVIDERS } = await import(pathToFileURL(projectPath('dist/upstreams/providers/providers.js')).href);
  return tableOfUpstreams(PROVIDERS);
}

async function stepTable() {
  const { START, STOP } = await import(pathToFileURL(projectPath('dist/lifecycle/start-and-stop.js')).href);
  const rows = (phases) =>
    phases.flatMap(({ by, steps }) =>
      steps.map(({ who, does, inFirst }) => [`\`${by}\``, `\`${who}\``, inFirst ? `${does} (first process)` : does]),
    );
  const head = ['by', 'who', 'does'];
  return `At start:\n\n${table(head, rows(START))}\n\nAt stop:\n\n${table(head, rows(STOP))}`;
}

/** What a production install brings, by npm's lock file, and what the console's pages are built with. */
function licenceTable() {
  const { packages } = JSON.parse(readFileSync(projectPath('package-lock.json'), 'utf8'));
  const inPages = packagesOfPages(packages);
  const rows = Object.entries(packages)
    .filter(([path, entry]) => path !== '' && (inPages.has(path) || (!entry.dev && !entry.devOptional)))
    .map(([path, { version, license = 'see the package' }]) => [path.split('node_modules/').at(-1), version, license])
    .sort(([a, x], [b, y]) => a.localeCompare(b) || x.localeCompare(y));
  const unique = rows.filter((row, index) => row.join() !== rows[index - 1]?.join());
  return table(['package', 'version', 'licence'], unique);
}

/** The paths in the lock file of the packages that web/ imports, and of all that those need. */
function packagesOfPages(packages) {
  const found = new Set();
  const visit = (name) => {
    const path = `node_modules/${name}`;
    if (found.has(path) || !packages[path]) return;
    found.add(path);
    for (const dependency of Object.keys(packages[path].dependencies ?? {})) visit(dependency);
  };
  for (const file of readdirSync(projectPath('web/src'), { recursive: true }).filter((name) =>
    /(?<!\.spec)\.(tsx?|css)$/.test(name),
  )) {
    const imports = readFileSync(projectPath('web/src', file), 'utf8').matchAll(
      /(?:from|import) ?\(?'((?:@[\w-]+\/)?[\w-]+)/g,
    );
    for (const [, name] of imports) visit(name);
  }
  return found;
}

function withTable(file, table) {
  const text = textOf(file) ?? '';
  const [begin, end] = ['<!-- made by npm run docs -->', '<!-- end -->'];
  if (!text.includes(begin)) throw new Failure(`${file} has lost the mark "${begin}".`);
  return `${text.slice(0, text.indexOf(begin))}${begin}\n\n${table}\n\n${text.slice(text.indexOf(end))}`;
}

function textOf(file) {
  return existsSync(projectPath(file)) ? readFileSync(projectPath(file), 'utf8') : null;
}
