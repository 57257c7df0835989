import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { anchorOf, toBlocks } from './markdown-blocks';

it('a text is paragraphs, headings, lists, tables and code', () => {
  const text =
    'One\nline.\n\n## A heading\n- a\n  b\n- c\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```sh\na\n\nb\n```\n\n```js\nc\n```';
  expect(toBlocks(text)).toEqual([
    { kind: 'text', text: 'One line.' },
    { kind: 'heading', text: 'A heading' },
    { kind: 'list', isOrdered: false, items: ['a b', 'c'] },
    { kind: 'table', head: ['x', 'y'], rows: [['1', '2']] },
    {
      kind: 'code',
      parts: [
        { language: 'sh', code: 'a\n\nb' },
        { language: 'js', code: 'c' },
      ],
    },
  ]);
});

it('links between guides lead to guides and headings that exist', () => {
  const folder = new URL('./guides/', import.meta.url);
  const guides = new Map(
    readdirSync(folder).map((name) => [name.replace('.md', ''), readFileSync(new URL(name, folder), 'utf8')]),
  );
  const links = [...guides.values()].flatMap((text) => [...text.matchAll(/\]\(\/docs\/([\w-]+)#?([\w-]*)\)/g)]);
  const toGuides = links.filter(([, slug = '']) => !slug.startsWith('reference-'));
  expect(toGuides.length).toBeGreaterThan(5);
  for (const [link, slug = '', hash] of toGuides) {
    const headings = [...(guides.get(slug) ?? '').matchAll(/^## (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
    expect([link, guides.has(slug), !hash || headings.includes(hash)]).toEqual([link, true, true]);
  }
});
