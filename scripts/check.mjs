import { runChild } from './lib/child.mjs';
import { prepareDependencies } from './lib/prepare.mjs';
import { projectPath, runScript, say } from './lib/project.mjs';
import { gatewayNode } from './lib/runtime.mjs';

const colors = process.stdout.isTTY ? 'force' : 'off';

const checks = [
  {
    name: 'format and lint',
    script: 'node_modules/@biomejs/biome/bin/biome',
    args: ['ci', '--error-on-warnings', `--colors=${colors}`],
  },
  { name: 'types', script: 'node_modules/@typescript/native/bin/tsc', args: ['-p', 'tsconfig.json'] },
  {
    name: 'types of the console',
    script: 'node_modules/@typescript/native/bin/tsc',
    args: ['-p', 'web/tsconfig.json'],
  },
  {
    name: 'architecture',
    script: 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    args: ['--config', '.dependency-cruiser.mjs', 'src', 'test', 'bench'],
  },
  {
    name: 'architecture of the console',
    script: 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    args: ['--config', '.dependency-cruiser.mjs', '--ts-config', 'web/tsconfig.json', 'web/src'],
  },
  { name: 'circular imports of folders', script: 'scripts/check-folders.mjs', args: [] },
  { name: 'code rules', script: 'scripts/check-source.mjs', args: [] },
  { name: 'documents', script: 'scripts/docs.mjs', args: ['--check'] },
  { name: 'contract of the API', script: 'scripts/check-contract.mjs', args: [] },
  { name: 'what documents name', script: 'scripts/check-documents.mjs', args: [] },
  { name: 'size of the console', script: 'scripts/check-web-size.mjs', args: [] },
  { name: 'cost of a request', script: 'scripts/bench.mjs', args: ['counters'] },
  { name: 'dead code', script: 'node_modules/knip/bin/knip.js', args: [] },
  { name: 'code used only by specs', script: 'node_modules/knip/bin/knip.js', args: ['--production'] },
];

await runScript(async () => {
  await prepareDependencies();
  const failed = [];
  for (const check of checks) {
    say(`— ${check.name}`);
    if (!(await passes(check))) failed.push(check.name);
  }
  say(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`);
  process.exitCode = failed.length === 0 ? 0 : 1;
});

async function passes({ script, args }) {
  const options = { cwd: projectPath(), stdio: ['ignore', 'inherit', 'inherit'] };
  const { code } = await runChild(gatewayNode(), [projectPath(script), ...args], options);
  return code === 0;
}
