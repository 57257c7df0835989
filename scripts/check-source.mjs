import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { projectPath, say } from './lib/project.mjs';

// The house rules that imports do not show: what may stand where in src/, specs aside; and how long a file may be
// anywhere, specs and stylesheets included.
const providersFolder = 'src/upstreams/providers';
// In a provider's folder a name may be a word of its protocol, and a signer names the service that it signs for.
const namesProviders = new RegExp(`^(${providersFolder}/[^/]+/|src/config/|src/upstreams/client/auth/)`);
const nowhere = /^$/;
const longestFile = 300;

const rules = [
  { found: /\bprocess\.env\b/, only: /^src\/config\//, says: 'process.env is read in src/config only' },
  {
    found: /\b(res|response)\.write\(/,
    only: /^src\/http\/gathered-response\//,
    says: 'only what the SSE writer writes through writes to a response',
  },
  { found: /(?<![.\w])fetch\(/, only: nowhere, says: 'outbound HTTP goes through the upstream client, never fetch' },
  {
    found:
      /\b(Math\.random|Date\.now|performance\.now|random(UUID|Bytes|Int)|set(Timeout|Interval|Immediate))\b|\bnew Date\(\)/,
    only: /^src\/(?!upstreams\/providers\/)/,
    says: 'an adapter is pure: no clock, no randomness',
  },
  { found: /\bforwardRef\b/, only: nowhere, says: 'no forwardRef: let the modules point one way' },
  ...providerNames().map((name) => ({
    found: new RegExp(`(['"\`])${name}\\1`),
    only: namesProviders,
    says: `the name of a provider ('${name}') stands in the providers' folders and in config only`,
  })),
];

// `npm run docs` writes it.
const written = 'web/src/api/schema.ts';

const sources = filesIn('src', /(?<!\.spec)\.ts$/);
const isInstalled = /\/(node_modules|\.venv)\//;
const all = ['src', 'web/src', 'test', 'bench', 'scripts'].flatMap((folder) =>
  filesIn(folder, /\.(tsx?|css|mjs|sh)$/).filter((file) => !isInstalled.test(file)),
);
const faults = [
  ...sources.flatMap((file) => misplacedIn(file, linesOf(file))),
  ...all
    .filter((file) => file !== written && isTooLong(file))
    .map((file) => `${file} has more than ${longestFile} lines: it is two things`),
];
for (const fault of faults) say(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

function misplacedIn(file, lines) {
  return rules
    .filter((rule) => !rule.only.test(file))
    .flatMap((rule) =>
      lines.flatMap((line, index) => (rule.found.test(line) ? [`${file}:${index + 1} ${rule.says}`] : [])),
    );
}

function isTooLong(file) {
  return linesOf(file).length > longestFile + 1;
}

function linesOf(file) {
  return readFileSync(projectPath(file), 'utf8').split('\n');
}

function filesIn(folder, wanted) {
  return readdirSync(projectPath(folder), { recursive: true })
    .filter((file) => wanted.test(file))
    .map((file) => join(folder, file).split(sep).join('/'));
}

/** The folders of the providers. 'simulator' and 'shared' are words of the gateway itself, too. */
function providerNames() {
  return readdirSync(projectPath(providersFolder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['shared', 'simulator'].includes(entry.name))
    .map((entry) => entry.name);
}
