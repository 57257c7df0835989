import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { filesIn } from './files.mjs';
import { fingerprintOf, readIfThere } from './fingerprint.mjs';
import { Failure, projectPath, say } from './project.mjs';
import { gatewayNode } from './runtime.mjs';

const stamp = projectPath('dist/.built');
const settings = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/** Whether dist/ was built from the current sources and not changed by another tool since. */
export function isBuilt() {
  return readIfThere(stamp) === fingerprint() && changed(projectPath('dist/main.js')) <= changed(stamp);
}

/**
 * Compiles src/ into dist/, copies the files of SQL functions there, and removes files from dist/ that have no source
 * any more. `npm run check` checks the types, which takes longer than the rest of a build.
 */
export async function build() {
  say('Building…');
  const built = fingerprint();
  rmSync(stamp, { force: true });
  await run(projectPath('node_modules/@typescript/native/bin/tsc'), '-p', projectPath('tsconfig.build.json'));
  for (const file of sources().filter(isSql)) cpSync(projectPath('src', file), projectPath('dist', file));
  removeLeftovers();
  writeFileSync(projectPath('dist/commit'), commit());
  writeFileSync(stamp, built);
}

/** Of the sources, for the version; empty without a repository. An image is built with `--build-arg COMMIT=…`. */
function commit() {
  if (process.env.COMMIT) return process.env.COMMIT.slice(0, 12);
  const { status, stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'], {
    cwd: projectPath('.'),
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : '';
}

async function run(...args) {
  const { code } = await runChild(gatewayNode(), args, { stdio: ['ignore', 2, 2] });
  if (code !== 0) throw new Failure('The build failed; see the errors above.');
}

function fingerprint() {
  return fingerprintOf([...settings, ...sources().map((source) => join('src', source))]);
}

function sources() {
  return filesIn('src').filter((file) => /\.(ts|json|sql)$/.test(file) && !file.endsWith('.spec.ts'));
}

function removeLeftovers() {
  const outputs = new Set(sources().flatMap((source) => outputsOf(source)));
  for (const file of filesIn('dist', 'web')) {
    if (/\.(js|js\.map|sql)$/.test(file) && !outputs.has(file)) rmSync(projectPath('dist', file));
  }
}

function isSql(file) {
  return file.endsWith('.sql');
}

function outputsOf(source) {
  if (isSql(source)) return [source];
  const script = source.replace(/\.ts$/, '.js');
  return [script, `${script}.map`];
}

function changed(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}
