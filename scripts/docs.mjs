import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { prepare } from './lib/prepare.mjs';
import { Failure, projectPath, runScript, say } from './lib/project.mjs';

// Writes the parts of docs/ that are made from the code. With --check it only says whether they are up to date.

const checkOnly = process.argv.includes('--check');

const columns = {
  json_object: 'JSON mode',
  json_schema: 'JSON schema',
  multiple_choices: '`n` > 1',
  logprobs: 'logprobs',
  logit_bias: 'logit bias',
  audio_input: 'audio in',
  audio_output: 'audio out',
  file_input: 'files',
  image_address: 'image by address',
  custom_tools: 'custom tools',
  functions: '`functions`',
  web_search: 'web search',
};

await runScript(async () => {
  await prepare();
  const stale = [
    ['docs/upstreams.md', await upstreamTable()],
    ['docs/licences.md', licenceTable()],
  ].filter(([file, table]) => !isCurrent(file, table));
  for (const [file, table] of stale) {
    if (!checkOnly) writeFileSync(projectPath(file), withTable(file, table));
    say(`${file} ${checkOnly ? 'is out of date: run "npm run docs"' : 'was written'}`);
  }
  if (checkOnly && stale.length > 0) throw new Failure('docs/ does not say what the code does.');
});

async function upstreamTable() {
  const { PROVIDERS } = await import(pathToFileURL(projectPath('dist/completions/providers/providers.js')).href);
  const rows = [...PROVIDERS]
    .sort((a, b) => a.protocol.localeCompare(b.protocol))
    .map(({ protocol, framing, auth, capabilities }) => [
      `\`${protocol}\``,
      auth.kind === 'header' ? `\`${auth.name}\`` : auth.kind,
      framing,
      ...Object.keys(columns).map((name) => word(capabilities[name])),
    ]);
  return table(['protocol', 'credential', 'framing', ...Object.values(columns)], rows);
}

function word(capability) {
  if (capability === undefined) return '·';
  return capability ? 'yes' : 'no';
}

/** What a production install brings, by npm's lock file. */
function licenceTable() {
  const { packages } = JSON.parse(readFileSync(projectPath('package-lock.json'), 'utf8'));
  const rows = Object.entries(packages)
    .filter(([path, entry]) => path !== '' && !entry.dev && !entry.devOptional)
    .map(([path, { version, license = 'see the package' }]) => [path.split('node_modules/').at(-1), version, license])
    .sort(([a, x], [b, y]) => a.localeCompare(b) || x.localeCompare(y));
  const unique = rows.filter((row, index) => row.join() !== rows[index - 1]?.join());
  return table(['package', 'version', 'licence'], unique);
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function isCurrent(file, table) {
  return readFileSync(projectPath(file), 'utf8') === withTable(file, table);
}

function withTable(file, table) {
  const text = readFileSync(projectPath(file), 'utf8');
  const [begin, end] = ['<!-- made by npm run docs -->', '<!-- end -->'];
  if (!text.includes(begin)) throw new Failure(`${file} has lost the mark "${begin}".`);
  return `${text.slice(0, text.indexOf(begin))}${begin}\n\n${table}\n\n${text.slice(text.indexOf(end))}`;
}
