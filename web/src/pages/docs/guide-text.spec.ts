import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { anchorOf, guideParts } from './guide-text';

it('a guide is split at its code, which has the heading above it and all of its languages', () => {
  const guide = 'Text.\n\n```sh\na\n\nb\n```\n\n```js\nc\n```\n\n## A heading\nMore.\n\n```sh\nd\n```\nThe end.\n';
  expect(guideParts(guide)).toEqual([
    {
      text: 'Text.\n\n',
      heading: undefined,
      codes: [
        { language: 'sh', code: 'a\n\nb' },
        { language: 'js', code: 'c' },
      ],
    },
    { text: '## A heading\nMore.\n\n', heading: 'A heading', codes: [{ language: 'sh', code: 'd' }] },
    { text: 'The end.\n', heading: 'A heading', codes: [] },
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
