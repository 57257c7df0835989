import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare } from './lib/prepare.mjs';
import { projectPath, runScript, say } from './lib/project.mjs';

// Checks what the documents name: files, sections, npm scripts, variables, settings, metrics, alerts and error codes.

const link = /\]\(([^)\s]+)\)/g;
// Paths in code quotes. Text with blanks, stars or dots in place of a name is not a path, and examples need not exist.
const quoted = /`([\w@.-]+(?:\/[\w@.-]+)+\/?)`/g;
/** Names of files without a folder. */
const bare = /`([\w-][\w.-]*\.(?:ts|tsx|mjs|sql))`/g;
const isFile = /\/$|\.(md|ts|tsx|mjs|json|ya?ml|css|svg|png)$/;
const isExample = /\/example\/|\/signed\.scheme\.ts$|^example\.|^gateway-export\.sql$/;
const providers = 'src/upstreams/providers';
/** Where the paths of documents start, besides the document's own folder. */
const tops = [
  ...['', 'src', 'src/completions', 'test'],
  ...readdirSync(projectPath(providers)).map((name) => join(providers, name)),
];
// Variables that Node reads itself, and variables of upstreams that upstreams.yaml does not have.
const otherVariables = ['NODE_EXTRA_CA_CERTS', 'GOOGLE_APPLICATION_CREDENTIALS'];

const manuals = [...filesIn('.', /^[A-Z]+\.md$/, false), ...filesIn('docs', /\.md$/)];
const documents = [...manuals, ...['src', 'scripts'].flatMap((folder) => filesIn(folder, /README\.md$/))];

const sourceNames = new Set(
  ['src', 'test', 'web/src', 'scripts', 'bench', '.'].flatMap((folder) =>
    filesIn(folder, /\.(ts|tsx|mjs|sql)$/, folder !== '.').map((file) => basename(file)),
  ),
);

await runScript(async () => {
  await prepare();
  const faults = [
    ...documents.flatMap(unknownFiles),
    ...filesIn('src', /\.ts$/).flatMap((file) =>
      unknown(file, /\b(docs\/[\w-]+\.md)\b/g, (path) => existsSync(projectPath(path))),
    ),
    ...manuals
      .filter((file) => file !== 'CHANGELOG.md')
      .flatMap((file) => [...unknownSections(file), ...unknownScripts(file)]),
    ...(await wrongVariables()),
    ...unknownSettings(),
    ...wrongMetrics(),
    ...missing('docs/limits.md', 'the alert', matches('src/alerts/alert.types.ts', /\| '(\w+)'/g)),
    ...unknownCodes(),
  ];
  for (const fault of faults) say(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
});

function unknownFiles(file) {
  const body = text(file).replace(/^```[\s\S]*?^```$/gm, '');
  const links = Array.from(body.matchAll(link), ([, target]) => target.replace(/#.*$/, '')).filter(isLocal);
  const paths = Array.from(body.matchAll(quoted), ([, path]) => path).filter(
    (path) => isFile.test(path) && !isExample.test(path),
  );
  const names = Array.from(body.matchAll(bare), ([, name]) => name).filter(
    (name) => !isExample.test(name) && !sourceNames.has(name),
  );
  return [
    ...names,
    ...links.filter((path) => !existsSync(projectPath(dirname(file), path))),
    ...paths.filter((path) => ![dirname(file), ...tops].some((top) => existsSync(projectPath(top, path)))),
  ].map((path) => `${file} names ${path}, which does not exist`);
}

function isLocal(target) {
  return target !== '' && !/^[a-z]+:/i.test(target);
}

function unknownSections(file) {
  return [...text(file).matchAll(/\]\(([\w./-]*\.md)?#([\w-]+)\)/g)]
    .map(([, path, section]) => [path === undefined ? file : join(file, '..', path), section])
    .filter(([path, section]) => !sectionsOf(path).has(section))
    .map(([path, section]) => `${file} links to ${path}#${section}, which does not exist`);
}

function sectionsOf(file) {
  const titles = matches(file, /^#+ (.*)$/gm).map((title) => title.toLowerCase().replace(/[^\w\- ]/g, ''));
  return new Set([...titles.map((title) => title.replaceAll(' ', '-')), ...matches(file, /<a id="([\w-]+)">/g)]);
}

function unknownScripts(file) {
  const { scripts } = JSON.parse(text('package.json'));
  return unknown(file, /npm run (?:-s )?([a-z][\w:-]*)/g, (name) => name in scripts);
}

/** Every named variable is read by the settings, and every key of an upstream is in .env.example. */
async function wrongVariables() {
  const built = (path) => import(pathToFileURL(projectPath('dist', path)).href);
  const [{ loadSettings }, { PROVIDERS }, { variableNames }, { credentialVariables }] = await Promise.all(
    [
      'config/settings.js',
      'upstreams/providers/providers.js',
      'config/described-settings.js',
      'config/upstream-protocol.js',
    ].map(built),
  );
  const settings = loadSettings({}, PROVIDERS, projectPath());
  const names = [...variableNames(settings), ...otherVariables];
  const known = new Set([...names, ...matches('docker-compose.yml', /\$\{([A-Z_]+)/g)]);
  const ofUpstreams = [...settings.upstreams.keys()].map((name) => name.toUpperCase().replaceAll('-', '_'));
  const isOwn = (name) => !ofUpstreams.some((prefix) => new RegExp(`^${prefix}_(API_KEY|BASE_URL)`).test(name));
  const keys = [...settings.upstreams.values()].flatMap((upstream) => credentialVariables(upstream)[0] ?? []);
  return [
    ...missing('.env.example', 'the variable', keys),
    ...missing('docs/configuration.md', 'the variable', names.filter(isOwn)),
    ...unknown('.env.example', /^# ?([A-Z][A-Z0-9_]*)=/gm, (name) => {
      return known.has(name.replace(/_FILE$/, '')) || /_API_KEY_\d+$/.test(name);
    }),
  ];
}

/** Settings in code quotes are in config/gateway.yaml, whose comments have every key. */
function unknownSettings() {
  const keys = new Set();
  let section = '';
  for (const line of text('config/gateway.yaml').split('\n')) {
    section = /^(\w+):/.exec(line)?.[1] ?? section;
    const [, indent, key] = /^( *)# (\w+): +\S+/.exec(line) ?? [];
    if (key) keys.add(indent === '' ? key : `${section}.${key}`);
  }
  const sections = new Set([...keys].map((key) => key.split('.')[0]));
  const isKnown = (key) =>
    keys.has(key) || !sections.has(key.split('.')[0]) || /\.(md|ya?ml|ts)$/.test(key) || key === 'signIn.oidc';
  return manuals.flatMap((file) => unknown(file, /`([a-zA-Z]+\.[a-zA-Z]+)(?::[^`]*)?`/g, isKnown));
}

/** The table in docs/operations.md has every metric and no other. */
function wrongMetrics() {
  const files = filesIn('src', /(?<!\.spec)\.ts$/).filter((file) => !file.startsWith('src/console/'));
  const declared = new Set(files.flatMap((file) => matches(file, /'(gateway_[a-z_]+)'/g)));
  const rows = /^\| `(gateway_\w+)`/gm;
  return [
    ...missing('docs/operations.md', 'the metric', [...declared]),
    ...unknown('docs/operations.md', rows, (name) => declared.has(name)),
  ];
}

/** The error codes that docs/api.md promises are in the code. */
function unknownCodes() {
  const sources = filesIn('src', /(?<!\.spec)\.ts$/)
    .map(text)
    .join('\n');
  const [, table] = text('docs/api.md').split('## Errors');
  return [...table.matchAll(/^\| [\d, ]+ \| (.*?) \|/gm)]
    .flatMap(([, codes]) => Array.from(codes.matchAll(/`(\w+)`/g), ([, code]) => code))
    .filter((code) => !sources.includes(`'${code}'`))
    .map((code) => `docs/api.md names the error code ${code}, which does not exist`);
}

function missing(file, what, names) {
  const body = text(file);
  return names
    .filter((name) => !new RegExp(`\\b${name}(_FILE)?\\b`).test(body))
    .map((name) => `${file} lacks ${what} ${name}`);
}

function unknown(file, pattern, isKnown) {
  return matches(file, pattern)
    .filter((name) => !isKnown(name))
    .map((name) => `${file} names ${name}, which does not exist`);
}

function matches(file, pattern) {
  return Array.from(text(file).matchAll(pattern), ([, found]) => found);
}

function text(file) {
  return readFileSync(projectPath(file), 'utf8');
}

function filesIn(folder, name, recursive = true) {
  return readdirSync(projectPath(folder), { recursive })
    .filter((file) => name.test(file))
    .map((file) => join(folder, file).split(sep).join('/'));
}
