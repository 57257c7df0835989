import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { projectPath, say } from './lib/project.mjs';

// The house rules that imports do not show: what may stand where in src/, specs aside.
const providersFolder = 'src/completions/providers';
const longestFile = 300;

const rules = [
  { found: /\bprocess\.env\b/, only: /^src\/config\//, says: 'process.env is read in src/config only' },
  {
    found: /\b(res|response)\.write\(/,
    only: /\/stream\/sse\.writer\.ts$/,
    says: 'only the SSE writer writes to a response',
  },
  { found: /(?<![.\w])fetch\(/, only: /^$/, says: 'outbound HTTP goes through the upstream client, never fetch' },
  { found: /\bforwardRef\b/, only: /^$/, says: 'no forwardRef: let the modules point one way' },
  ...providerNames().map((name) => ({
    found: new RegExp(`(['"\`])${name}\\1`),
    only: new RegExp(`^(${providersFolder}/${name}|src/config)/`),
    says: `the name of a provider ('${name}') stands in its own folder and in config only`,
  })),
];

const faults = sourceFiles().flatMap((file) => faultsOf(file, readFileSync(projectPath(file), 'utf8').split('\n')));
for (const fault of faults) say(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

function faultsOf(file, lines) {
  const broken = rules
    .filter((rule) => !rule.only.test(file))
    .flatMap((rule) =>
      lines.flatMap((line, index) => (rule.found.test(line) ? [`${file}:${index + 1} ${rule.says}`] : [])),
    );
  const tooLong =
    lines.length > longestFile + 1 ? [`${file} has more than ${longestFile} lines: it is two things`] : [];
  return [...broken, ...tooLong];
}

function sourceFiles() {
  return readdirSync(projectPath('src'), { recursive: true })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => join('src', file).split(sep).join('/'));
}

/** The folders of the providers, but for the simulator's: being simulated is the gateway's own matter. */
function providerNames() {
  return readdirSync(projectPath(providersFolder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'simulator')
    .map((entry) => entry.name);
}
