import ArrowLeft from 'icon:arrow-left';
import ArrowRight from 'icon:arrow-right';
import SearchX from 'icon:search-x';
import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Fragment, Suspense } from 'react';
import { Page, TextLink } from '../../kit/page';
import { EmptyState, Loading, QueryStates } from '../../kit/states';
import { type Code, CodeTabs, DocsContext, type DocsValues, originOf, useDocs, useDocsOfSession } from './code-tabs';
import classes from './docs.module.css';
import { DocsNav } from './docs-nav';
import { type ApiDocument, documentQuery, type ErrorCode } from './document';
import { type FencedCode, guideParts } from './guide-text';
import { APIS, requestCode } from './operation-code';
import { Markdown, ReferenceSection, useHashTarget } from './operation-view';
import { type Guide, loadGuide, type Section, sectionsOf } from './sections';

/** Every code of an error. */
function errorTable(codes: readonly ErrorCode[]): string {
  const rows = codes.map(({ status, code, meaning, remedy }) => `| ${status} | \`${code}\` | ${meaning} | ${remedy} |`);
  return ['| Status | Code | Meaning | What to do |', '|---|---|---|---|', ...rows].join('\n');
}

interface GuideSectionProps {
  guide: Guide;
  errorCodes: readonly ErrorCode[];
}

/** A guide, with real values in its code. */
function GuideSection({ guide: { slug, title }, errorCodes }: GuideSectionProps) {
  const query = useQuery({
    queryKey: ['docs', 'guide', slug],
    queryFn: () => loadGuide(slug),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryStates query={query}>{(text) => <GuideText text={text} title={title} errorCodes={errorCodes} />}</QueryStates>
  );
}

function GuideText({ text, title, errorCodes }: { text: string; title: string; errorCodes: readonly ErrorCode[] }) {
  const { values } = useDocs();
  useHashTarget();
  return guideParts(filledIn(text, values)).map(({ text: part, heading = title, codes }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a guide never change places
    <Fragment key={at}>
      <Markdown text={part} />
      {codes[0]?.language === 'errors' ? (
        <Markdown text={errorTable(errorCodes)} />
      ) : (
        codes.length > 0 && (
          <Box mb="1.25rem">
            <CodeTabs codes={codes.flatMap((code) => toCodes(code, values))} label={heading} />
          </Box>
        )
      )}
    </Fragment>
  ));
}

/** `{{baseUrl}}` and its like, in text and code. */
function filledIn(text: string, values: DocsValues): string {
  return text
    .replaceAll('{{baseUrl}}', values.baseUrl)
    .replaceAll('{{origin}}', originOf(values))
    .replaceAll('{{model}}', values.model)
    .replaceAll('{{embeddingModel}}', values.embeddingModel);
}

const NAMES: Readonly<Record<string, string>> = {
  python: 'Python',
  node: 'Node',
  json: 'JSON',
  sh: 'Shell',
  js: 'JavaScript',
};

/** `request /v1/responses`: a JSON body that becomes a program in each language. */
function toCodes({ language, code }: FencedCode, values: DocsValues): Code[] {
  const [kind = '', path = ''] = language.split(' ');
  const api = APIS[path];
  if (kind === 'request' && api) return requestCode(api, JSON.parse(code), values);
  return [{ id: kind, name: NAMES[kind] ?? kind, code: `${code}\n` }];
}

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
        description={
          section?.description && (
            <Suspense fallback={section.description}>
              <Markdown text={section.description} isLine />
            </Suspense>
          )
        }
      >
        <QueryStates query={ready}>
          {(document) => (
            <DocsContext value={docs ?? null}>
              <Suspense fallback={<Loading />}>
                {section ? <Content section={section} document={document} /> : <Unknown />}
              </Suspense>
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
