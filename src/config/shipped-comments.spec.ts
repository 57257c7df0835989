import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import { loadSettings } from './settings.js';

const root = resolve(import.meta.dirname, '../..');

it('the shipped catalog has names of Codex and Claude Code and three embedding models as comments, ready to use', () => {
  const own = mkdtempSync(join(tmpdir(), 'catalog-'));
  cpSync(join(root, 'config'), join(own, 'config'), { recursive: true });
  const file = join(own, 'config/models.yaml');
  const [, ...rows] = readFileSync(file, 'utf8').split(/(?=^- id:)/m);
  writeFileSync(
    file,
    rows
      .join('')
      .replace(/^ {2}aliases: .*\n(?= {2}# aliases:)/gm, '')
      .replace(/^( *)# (- id:| {2}\w+:|aliases:)/gm, '$1$2'),
  );
  const { models } = loadSettings({}, PROVIDERS, own);
  rmSync(own, { recursive: true });
  expect(models.slice(0, 17).map(({ id }) => id)).toEqual(loadSettings({}, PROVIDERS, root).models.map(({ id }) => id));
  const embeddings = models.slice(17);
  expect(embeddings.map(({ kind, dimensions, hasPrice }) => [kind, dimensions, hasPrice])).toEqual([
    ['embedding', 1536, true],
    ['embedding', 3072, true],
    ['embedding', 1024, true],
  ]);
  const names = models.flatMap(({ aliases }) => aliases);
  for (const name of ['gpt-5-codex', 'claude-sonnet-4-5', 'claude-opus-4-5', 'claude-haiku-4-5-20251001']) {
    expect(names).toContain(name);
  }
});
