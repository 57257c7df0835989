import ArrowLeft from 'icon:arrow-left';
import ArrowRight from 'icon:arrow-right';
import SearchX from 'icon:search-x';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { EmptyState } from '../../kit/empty-state';
import { TextLink } from '../../kit/links';
import { Page } from '../../kit/page';
import { QueryStates } from '../../kit/query-states';
import classes from './docs.module.css';
import { DocsContext, useDocsOfSession } from './docs-context';
import { DocsNav } from './docs-nav';
import { type ApiDocument, documentQuery } from './document';
import { GuideSection } from './guide-section';
import { Inline } from './markdown';
import { ReferenceSection } from './reference-section';
import { type Section, sectionsOf } from './sections';

const FIRST = 'getting-started';

/** The documentation: guides and the reference of what the person can call. */
export function DocsPage() {
  const { section: slug = FIRST } = useParams({ strict: false });
  const query = useQuery(documentQuery);
  const docs = useDocsOfSession();
  const sections = sectionsOf(query.data);
  const section = sections.find((one) => one.slug === slug);
  const ready = { ...query, data: docs && query.data };
  return (
    <div className={classes.docs}>
      <DocsNav sections={sections} current={slug} />
      <Page
        key={slug}
        title={section?.title ?? 'Docs'}
        description={section?.description && <Inline text={section.description} />}
      >
        <QueryStates query={ready}>
          {(document) => (
            <DocsContext value={docs ?? null}>
              {section ? <Content section={section} document={document} /> : <Unknown />}
              <Neighbours sections={sections} current={slug} />
            </DocsContext>
          )}
        </QueryStates>
      </Page>
    </div>
  );
}

function Content({ section, document }: { section: Section; document: ApiDocument }) {
  const { operations, description = '' } = section;
  if (operations) return <ReferenceSection operations={operations} document={document} />;
  return <GuideSection guide={{ ...section, description }} errorCodes={document['x-error-codes']} />;
}

function Neighbours({ sections, current }: { sections: readonly Section[]; current: string }) {
  const at = sections.findIndex(({ slug }) => slug === current);
  const [previous, next] = at < 0 ? [] : [sections[at - 1], sections[at + 1]];
  return (
    <nav className={classes.neighbours} aria-label="Previous and next">
      {previous ? (
        <TextLink to="/docs/$section" params={{ section: previous.slug }}>
          <ArrowLeft size={14} aria-hidden="true" /> {previous.title}
        </TextLink>
      ) : (
        <span />
      )}
      {next && (
        <TextLink to="/docs/$section" params={{ section: next.slug }}>
          {next.title} <ArrowRight size={14} aria-hidden="true" />
        </TextLink>
      )}
    </nav>
  );
}

function Unknown() {
  return (
    <EmptyState
      icon={SearchX}
      title="There is no such section"
      action={<TextLink to="/docs">Getting started</TextLink>}
    >
      It does not exist, or it is for administrators.
    </EmptyState>
  );
}
