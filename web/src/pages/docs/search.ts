import { queryOptions } from '@tanstack/react-query';
import { GUIDES, loadGuide } from './guides';
import { anchorOf } from './markdown-blocks';
import type { Section } from './sections';

/** A place in the documentation. */
export interface Hit {
  readonly slug: string;
  readonly hash?: string;
  readonly title: string;
  /** Where it is: the section's title, or the operation's method and path. */
  readonly place: string;
}

/** Something that can be found, with all of its words. */
interface Entry extends Hit {
  readonly text: string;
}

const MAX = 30;

/** The parts of all guides, loaded when someone searches. */
export const guideEntriesQuery = queryOptions({
  queryKey: ['docs', 'guides'],
  queryFn: async () =>
    (await Promise.all(GUIDES.map(async (guide) => entriesOf(guide, await loadGuide(guide.slug))))).flat(),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The places that have all words of a phrase; those that have them in their title come first. */
export function findPlaces(phrase: string, sections: readonly Section[], guideEntries: readonly Entry[]): Hit[] {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = [...guideEntries, ...sections.flatMap(operationEntries)].filter(({ text }) => has(text));
  const inTitle = (hit: Hit) => Number(has(`${hit.title} ${hit.place}`));
  return found.toSorted((a, b) => inTitle(b) - inTitle(a)).slice(0, MAX);
}

function entriesOf({ slug, title, description }: Section, text: string): Entry[] {
  const [head = '', ...parts] = text.split(/^## /m);
  const whole: Entry = { slug, title, place: 'Guide', text: [title, description, head].join(' ') };
  return [whole, ...parts.map((part) => partOf(slug, title, part))];
}

function partOf(slug: string, title: string, part: string): Entry {
  const heading = part.slice(0, part.indexOf('\n'));
  return { slug, hash: anchorOf(heading), title: heading, place: title, text: `${title} ${part}` };
}

function operationEntries({ slug, title, operations = [] }: Section): Entry[] {
  return operations.map(({ operationId, summary = '', description = '', method, path }) => {
    const place = `${method.toUpperCase()} ${path}`;
    return { slug, hash: operationId, title: summary, place, text: [title, summary, description, place].join(' ') };
  });
}
