import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, it } from '@jest/globals';
import { filesIn, RECORDINGS, RESPONSES_RECORDINGS, ROOT } from './shared-recordings.js';

it('no file of the repository is a byte-for-byte copy of a recording', () => {
  const recorded = [...filesIn(RECORDINGS), ...filesIn(RESPONSES_RECORDINGS)];
  const hashes = new Set(recorded.map(hashOf));
  expect(hashes.size).toBeGreaterThan(100);
  const copies = [...filesIn(ROOT)].filter((path) => hashes.has(hashOf(path)));
  expect(copies.map((path) => relative(ROOT, path))).toEqual([]);
});

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
