import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Exchange, readExchange } from '../support/exchanges.js';

/** The root of this checkout. */
export const ROOT = join(import.meta.dirname, '../..');

/** Upstream traffic that other projects recorded: a folder for each provider. */
export const RECORDINGS = join(ROOT, '../shared/fixtures');

/** Recorded answers of the Responses API. */
export const RESPONSES_RECORDINGS = join(ROOT, '../shared/fixtures-responses');

/** The recordings of a provider; none when it has no folder. */
export function recordingsOf(provider: string): Exchange[] {
  const folder = join(RECORDINGS, provider);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.filter((file) => /\.(?:json|chunks\.txt)$/.test(file)).map((file) => readExchange(folder, file));
}

const SKIPPED_FOLDERS = new Set(['.git', 'node_modules', 'dist', 'data', 'coverage']);

/** The paths of all files in a folder and the folders below it, without installed, built and generated ones. */
export function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) yield path;
    if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) yield* filesIn(path);
  }
}
