import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterFile } from './after-file.js';

/** Replaced files of config/ by name, for example `{ 'gateway.yaml': 'retry: { attempts: 1 }' }`. */
export type ConfigFiles = Readonly<Record<string, string>>;

const SHIPPED = resolve(import.meta.dirname, '../../config');

/** A temporary folder with a copy of config/, some files replaced, and a data folder. */
export async function createWorkFolder(files: ConfigFiles = {}) {
  const folder = await createPassableFolder('gateway-test-');
  await cp(SHIPPED, join(folder, 'config'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'config', name), text);
  return {
    path: folder,
    variables: { CONFIG_DIR: join(folder, 'config'), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'info' },
    remove: afterFile(() => rm(folder, { recursive: true, force: true })),
  };
}

/** A temporary folder that the embedded server's account can enter, even if root creates it. */
export async function createPassableFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  await chmod(folder, 0o755);
  return folder;
}
