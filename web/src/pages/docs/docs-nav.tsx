import ChevronDown from 'icon:chevron-down';
import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { SearchField } from '../../kit/search-field';
import { useUrlState } from '../../kit/use-url-state';
import classes from './docs-nav.module.css';
import { findPlaces, guideEntriesQuery } from './search';
import type { Section } from './sections';

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
    <ul className={classes.inner}>
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
