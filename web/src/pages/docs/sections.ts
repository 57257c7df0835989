import { type ApiDocument, isForAdmins, type Operation, operationsOf } from './document';
import { GUIDES } from './guides';

/** A page of the documentation. */
export interface Section {
  /** In the address: `/docs/streaming`. */
  readonly slug: string;
  readonly title: string;
  readonly group: string;
  readonly description?: string;
  /** Of a section of the reference; guides have none. */
  readonly operations?: readonly Operation[];
  readonly isForAdmins?: boolean;
}

/** All sections in the order of the navigation: the guides, then the reference of `/v1` and of the console's API. */
export function sectionsOf(document: ApiDocument | undefined): Section[] {
  const reference = document ? referenceOf(document) : [];
  return [
    ...GUIDES,
    ...reference.filter(({ group }) => group === 'API reference'),
    ...reference.filter(({ group }) => group === 'Console API'),
  ];
}

function referenceOf(document: ApiDocument): Section[] {
  const groups = Map.groupBy(operationsOf(document), ({ tags }) => tags?.[0] ?? 'Others');
  return [...groups].map(([tag, operations]) => ({
    slug: `reference-${tag.toLowerCase().replace(/\W+/g, '-')}`,
    title: tag,
    group: operations.some(({ path }) => path.startsWith('/api/')) ? 'Console API' : 'API reference',
    description: document.tags.find(({ name }) => name === tag)?.description,
    operations,
    isForAdmins: operations.every(isForAdmins),
  }));
}
