import { type ApiDocument, isForAdmins, type Operation, operationsOf } from './document';

/** A guide: `guides/<slug>.md`, loaded when it is opened. */
export interface Guide {
  readonly slug: string;
  readonly title: string;
  readonly group: string;
  readonly description: string;
}

const files = import.meta.glob<string>('./guides/*.md', { query: '?raw', import: 'default' });

export const GUIDES: readonly Guide[] = [
  guide('getting-started', 'Getting started', 'From a key to the first answer.'),
  guide('streaming', 'Streaming', 'Show an answer while the model writes it.'),
  guide('tools', 'Tools', 'Let a model call your functions.'),
  guide('images', 'Images', 'Send images to vision models.'),
  guide('errors', 'Errors', 'What each code means, and what to do.'),
  guide('limits', 'Limits and budgets', 'How much you can call, and what happens beyond that.'),
  guide('clients', 'Clients', 'Base URL and key for common clients.'),
  guide('chat-completions', 'Chat Completions', 'OpenAI’s format, for every model.', 'APIs'),
  guide('responses', 'Responses', 'OpenAI’s newer format, for every model.', 'APIs'),
  guide('messages', 'Messages', 'Anthropic’s format, for every model, and Claude Code.', 'APIs'),
  guide('embeddings', 'Embeddings', 'Texts as vectors, for search and comparison.', 'APIs'),
  guide('models', 'Models', 'Find out which models you can call, and what they can do.', 'APIs'),
];

function guide(slug: string, title: string, description: string, group = 'Guides'): Guide {
  return { slug, title, group, description };
}

/** The text of a guide. */
export async function loadGuide(slug: string): Promise<string> {
  const load = files[`./guides/${slug}.md`];
  if (!load) throw new Error(`There is no guide ${slug}.`);
  return load();
}

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
