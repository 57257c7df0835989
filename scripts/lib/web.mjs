import { rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { runChild } from './child.mjs';
import { filesIn } from './files.mjs';
import { fingerprintOf, readIfThere } from './fingerprint.mjs';
import { Failure, projectPath, say } from './project.mjs';
import { buildNode } from './runtime.mjs';

const stamp = projectPath('dist/web/.built');
const compressible = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt', '.wasm', '.webmanifest']);
/** Smaller files fit into one packet without compression. */
const smallest = 1024;

/** Whether dist/web was built from the current sources of the console. */
export function isWebBuilt() {
  return readIfThere(stamp) === fingerprint();
}

/**
 * Builds web/ into dist/web. Also stores each file compressed, so that the gateway need not compress it for every
 * request.
 */
export async function buildWeb() {
  say('Building the console…');
  const built = fingerprint();
  rmSync(stamp, { force: true });
  const vite = projectPath('web/node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--config', projectPath('web/vite.config.ts'), '--logLevel', 'warn'];
  const { code } = await runChild(buildNode(), args, { stdio: ['ignore', 2, 2] });
  if (code !== 0) throw new Failure('The console could not be built; see the errors above.');
  await Promise.all(filesIn('dist/web').map((file) => compress(join('dist/web', file))));
  writeFileSync(stamp, built);
}

/** The lock file counts as a source; the installed packages do not. */
function fingerprint() {
  const sources = filesIn('web', 'node_modules').filter((file) => !file.includes('.spec.'));
  return fingerprintOf(['scripts/lib/web.mjs', ...sources.map((file) => join('web', file))]);
}

async function compress(file) {
  const content = await readFile(projectPath(file));
  if (!compressible.has(extname(file)) || content.length < smallest) return;
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  ]);
  await Promise.all([writeFile(projectPath(`${file}.gz`), zipped), writeFile(projectPath(`${file}.br`), brotli)]);
}
