import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare } from './lib/prepare.mjs';
import { projectPath, runScript, say } from './lib/project.mjs';

// Checks the statements of the documents that the code can confirm: variables, settings and their defaults, metrics,
// alerts, error codes, commands and their options, npm scripts, and the sections that links lead to.

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(projectPath('docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

// Variables that Node reads itself, and variables of upstreams that upstreams.yaml does not have.
const otherVariables = ['NODE_EXTRA_CA_CERTS', 'GOOGLE_APPLICATION_CREDENTIALS'];

await runScript(async () => {
  await prepare();
  const faults = [
    ...(await wrongVariables()),
    ...wrongSettings(),
    ...wrongMetrics(),
    ...wrongAlerts(),
    ...unknownCodes(),
    ...unknownCommands(),
    ...unknownSections(),
  ];
  for (const fault of faults) say(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
});

/** Every named variable is read by the settings, and every key of an upstream is in .env.example. */
async function wrongVariables() {
  const built = (path) => import(pathToFileURL(projectPath('dist', path)).href);
  const [{ loadSettings }, { PROVIDERS }, { variableNames }, { credentialVariables }] = await Promise.all(
    [
      'config/settings.js',
      'upstreams/providers/providers.js',
      'config/described-variables.js',
      'config/upstream-variables.js',
    ].map(built),
  );
  const settings = loadSettings({}, PROVIDERS, projectPath());
  const known = new Set([...variableNames(settings), ...otherVariables]);
  for (const [, name] of text('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)) known.add(name);
  const example = new Set(matches('.env.example', /^# ?([A-Z][A-Z0-9_]*)=/gm));
  const needed = [...settings.upstreams.values()].flatMap((upstream) => credentialVariables(upstream)[0] ?? []);
  const documented = new Set(matches('docs/configuration.md', /`([A-Z][A-Z0-9_]+)`/g).map(withoutFile));
  const ofUpstreams = [...settings.upstreams.keys()].map((name) => name.toUpperCase().replaceAll('-', '_'));
  const isOwn = (name) => !ofUpstreams.some((prefix) => new RegExp(`^${prefix}_(API_KEY|BASE_URL)`).test(name));
  const own = [...variableNames(settings), ...otherVariables].filter(isOwn);
  return [
    ...needed.filter((name) => !example.has(name)).map((name) => `.env.example lacks ${name}`),
    ...[...example]
      .filter((name) => !known.has(withoutFile(name)) && !/_API_KEY_\d+$/.test(name))
      .map((name) => `.env.example names ${name}, which nothing reads`),
    ...own.filter((name) => !documented.has(name)).map((name) => `docs/configuration.md lacks ${name}`),
  ];
}

function withoutFile(name) {
  return name.replace(/_FILE$/, '');
}

/** Every setting that a document names exists and has the default that follows in brackets. */
function wrongSettings() {
  const defaults = defaultsOfGateway();
  const sections = new Set([...defaults.keys()].map((key) => key.split('.')[0]));
  const named = /`([a-zA-Z]+\.[a-zA-Z]+)(?::[^`]*)?`(?: \((\d+(?:\.\d+)?) ?(ms|s|m|h|d|kB|MB|%)?[;,)])?/g;
  return documents.flatMap((file) =>
    [...text(file).matchAll(named)]
      .filter(([, key]) => sections.has(key.split('.')[0]) && !/\.(md|ya?ml|ts)$/.test(key) && key !== 'signIn.oidc')
      .flatMap(([, key, number, unit = '']) => {
        if (!defaults.has(key)) return [`${file} names the setting ${key}, which does not exist`];
        if (number === undefined) return [];
        const stated = `${number}${unit.replace('%', '')}`.toLowerCase();
        return stated === defaults.get(key)
          ? []
          : [`${file}: the default of ${key} is ${defaults.get(key)}, not ${stated}`];
      }),
  );
}

/** `section.key` → its default, by the comments of config/gateway.yaml. */
function defaultsOfGateway() {
  let section = '';
  return new Map(
    text('config/gateway.yaml')
      .split('\n')
      .flatMap((line) => {
        section = /^(\w+):/.exec(line)?.[1] ?? section;
        const [, indent, key, value] = /^( *)# (\w+): +(\S+)/.exec(line) ?? [];
        return key === undefined ? [] : [[indent === '' ? key : `${section}.${key}`, value]];
      }),
  );
}

/** The table in docs/operations.md has every metric, and documents name no other. */
function wrongMetrics() {
  const declared = new Set(
    sources('src')
      .filter((file) => !file.startsWith('src/console/'))
      .flatMap((file) => matches(file, /'(gateway_[a-z_]+)'/g)),
  );
  const listed = new Set(matches('docs/operations.md', /^\| `(gateway_\w+)`/gm));
  return [
    ...[...declared].filter((name) => !listed.has(name)).map((name) => `docs/operations.md lacks the metric ${name}`),
    ...documents.flatMap((file) =>
      matches(file, /\b(gateway_[a-z]+_[a-z_]+)/g)
        .filter((name) => !declared.has(name))
        .map((name) => `${file} names the metric ${name}, which does not exist`),
    ),
  ];
}

/** docs/limits.md has every type of alert. */
function wrongAlerts() {
  const listed = text('docs/limits.md');
  return matches('src/alerts/alert.types.ts', /\| '(\w+)'/g)
    .filter((type) => !listed.includes(`\`${type}\``))
    .map((type) => `docs/limits.md lacks the alert ${type}`);
}

/** The error codes that docs/api.md promises are in the code. */
function unknownCodes() {
  const all = sources('src').map(text).join('\n');
  const [, table] = text('docs/api.md').split('## Errors');
  return [...table.matchAll(/^\| [\d, ]+ \| (.*?) \|/gm)]
    .flatMap(([, codes]) => [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => code))
    .filter((code) => !all.includes(`'${code}'`))
    .map((code) => `docs/api.md names the error code ${code}, which does not exist`);
}

/** Commands, their options and npm scripts exist. */
function unknownCommands() {
  const cli = sources('src/cli').map(text).join('\n');
  const commands = new Set(
    [...cli.matchAll(/'((?!node:)(?:\w+:[a-z]+)|backup|export|restore)'/g)].map(([, name]) => name),
  );
  const families = new Set([...commands].map((name) => name.split(':')[0]));
  const { scripts } = JSON.parse(text('package.json'));
  return documents.flatMap((file) => [
    ...[...text(file).matchAll(/(?:`|cli -- |gateway gateway |^gateway )(([a-z]+):[a-z]+)\b/gm)]
      .filter(([, name, family]) => families.has(family) && !commands.has(name))
      .map(([, name]) => `${file} names the command ${name}, which does not exist`),
    ...[...text(file).matchAll(/^(?:npm run -s cli -- |gateway )(.*)$/gm)]
      .flatMap(([, line]) => [...line.split('#')[0].matchAll(/ (--[a-z-]+)/g)].map(([, option]) => option))
      .filter((option) => !cli.includes(option))
      .map((option) => `${file} names the option ${option}, which does not exist`),
    ...[...text(file).matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)]
      .filter(([, name]) => !(name in scripts))
      .map(([, name]) => `${file} names the npm script ${name}, which does not exist`),
  ]);
}

/** Links lead to sections that exist. */
function unknownSections() {
  return documents.flatMap((file) =>
    [...text(file).matchAll(/\]\(([\w./-]*\.md)?#([\w-]+)\)/g)]
      .map(([, path, section]) => [path === undefined ? file : join(file, '..', path), section])
      .filter(([path, section]) => !sectionsOf(path).has(section))
      .map(([path, section]) => `${file} links to ${path}#${section}, which does not exist`),
  );
}

function sectionsOf(file) {
  const titles = matches(file, /^#+ (.*)$/gm).map((title) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...titles, ...matches(file, /<a id="([\w-]+)">/g)]);
}

function sources(folder) {
  return readdirSync(projectPath(folder), { recursive: true })
    .filter((file) => /(?<!\.spec)\.ts$/.test(file))
    .map((file) => join(folder, file));
}

function matches(file, pattern) {
  return [...text(file).matchAll(pattern)].map(([, found]) => found);
}

function text(file) {
  return readFileSync(projectPath(file), 'utf8');
}
