import ChevronDown from 'icon:chevron-down';
import { UnstyledButton } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { SearchField } from '../../kit/search-field';
import { useUrlState } from '../../kit/url-state';
import classes from './docs.module.css';
import { anchorOf } from './guide-text';
import { GUIDES, loadGuide, type Section } from './sections';

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
const guideEntriesQuery = queryOptions({
  queryKey: ['docs', 'guides'],
  queryFn: async () =>
    (await Promise.all(GUIDES.map(async (guide) => entriesOf(guide, await loadGuide(guide.slug))))).flat(),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The places that have all words of a phrase; those that have them in their title come first. */
function findPlaces(phrase: string, sections: readonly Section[], guideEntries: readonly Entry[]): Hit[] {
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

interface DocsNavProps {
  sections: readonly Section[];
  current: string;
}

/** The navigation of the documentation, with its search; folded on narrow screens. */
export function DocsNav({ sections, current }: DocsNavProps) {
  const [phrase, setPhrase] = useUrlState('q', '');
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const close = () => setOpen(false);
  return (
    <nav className={classes.nav} aria-label="Documentation">
      <SearchField label="Search the docs" value={phrase} onChange={setPhrase} />
      <UnstyledButton
        className={classes.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronDown size={15} aria-hidden="true" />
        Contents
      </UnstyledButton>
      <div id={id} className={classes.content} data-open={isOpen || phrase !== '' || undefined}>
        {phrase.trim() === '' ? (
          <Contents sections={sections} current={current} onNavigate={close} />
        ) : (
          <Found sections={sections} phrase={phrase} onNavigate={close} />
        )}
      </div>
    </nav>
  );
}

function Contents({ sections, current, onNavigate }: DocsNavProps & { onNavigate: () => void }) {
  const groups = Map.groupBy(sections, ({ group }) => group);
  return [...groups].map(([group, list]) => (
    <div key={group}>
      <p className={classes.group}>{group}</p>
      <ul className={classes.list}>
        {list.map((section) => (
          <li key={section.slug}>
            <Link
              to="/docs/$section"
              params={{ section: section.slug }}
              className={classes.link}
              aria-current={section.slug === current ? 'page' : undefined}
              onClick={onNavigate}
            >
              {section.title}
              {section.isForAdmins && <span className={classes.note}>administrators</span>}
            </Link>
            {section.slug === current && section.operations && <Operations section={section} onNavigate={onNavigate} />}
          </li>
        ))}
      </ul>
    </div>
  ));
}

function Operations({ section, onNavigate }: { section: Section; onNavigate: () => void }) {
  return (
    <ul className={classes.navInner}>
      {section.operations?.map(({ operationId, summary, path }) => (
        <li key={operationId}>
          <Link
            to="/docs/$section"
            params={{ section: section.slug }}
            hash={operationId}
            className={classes.link}
            activeOptions={{ includeHash: true }}
            onClick={onNavigate}
          >
            {summary ?? path}
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface FoundProps {
  sections: readonly Section[];
  phrase: string;
  onNavigate: () => void;
}

function Found({ sections, phrase, onNavigate }: FoundProps) {
  const { data: guideEntries, isPending } = useQuery(guideEntriesQuery);
  const hits = findPlaces(phrase, sections, guideEntries ?? []);
  return (
    <>
      <p className={classes.group} role="status">
        {isPending ? 'Searching…' : hits.length === 0 ? `Nothing found for “${phrase.trim()}”` : 'Found'}
      </p>
      <ul className={classes.list}>
        {hits.map(({ slug, hash, title, place }) => (
          <li key={`${slug}#${hash}`}>
            <Link
              to="/docs/$section"
              params={{ section: slug }}
              search={{ q: phrase }}
              hash={hash}
              className={classes.link}
              activeOptions={{ includeHash: true }}
              onClick={onNavigate}
            >
              {title}
              <span className={classes.note}>{place}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
