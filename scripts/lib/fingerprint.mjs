import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { projectPath } from './project.mjs';

/** One hash for the names and the contents of these files of the checkout. */
export function fingerprintOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(projectPath(file)))
      .update('\0');
  }
  return hash.digest('hex');
}

export function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
