import {
  countOf,
  isObject,
  type JsonObject,
  objectOf,
  objectsOf,
  type ReadonlyJsonObject,
  textOf,
} from '../../contract/json.js';
import type { Dialect, MessageExtras } from '../openai/dialect.js';
import { supporting } from '../shared/capabilities.js';
import { urlCitation } from '../shared/citations.js';
import { COMMON_FIELDS } from '../shared/request-fields.js';
import { NO_PARAMETERS } from '../shared/requested-tools.js';

/** Perplexity's models always search the web. A stream has no end marker. */
export const perplexityDialect: Dialect = {
  protocol: 'perplexity',
  searchesUnasked: (_model, { disable_search: isDisabled }) => isDisabled !== true,
  capabilities: supporting(['json_schema', 'image_address', 'web_search']),
  fields: {
    only: [
      ...COMMON_FIELDS,
      'disable_search',
      'enable_search_classifier',
      'language_preference',
      'last_updated_after_filter',
      'last_updated_before_filter',
      'parallel_tool_calls',
      'return_images',
      'return_related_questions',
      'search_after_date_filter',
      'search_before_date_filter',
      'search_domain_filter',
      'search_mode',
      'search_recency_filter',
      'top_k',
      'web_search_options',
    ],
  },
  messageFields: { only: ['role', 'content', 'tool_calls', 'tool_call_id'] },
  imageDetails: [],
  adaptMessage: withContent,
  adaptFunction: withDescription,
  // From the package perplexityai.
  efforts: () => ['minimal', 'low', 'medium', 'high'],
  outputLimit: 'max_tokens',
  streamUsage: 'always',
  developerRole: false,
  adaptConversation: alternating,
  adjust(body) {
    if (isObject(body.tool_choice)) chooseOne(body, body.tool_choice);
    if (isObject(body.web_search_options)) body.web_search_options = searchOptions(body.web_search_options);
  },

  usageOf: ({ usage }) => (isObject(usage) ? withAdditionalTokens(usage) : usage),
  reasoningFields: ['reasoning_content', 'reasoning'],
  extras: () => new CitedSources(),
};

/** The tokens of citations and of research, which are counted and billed in addition to prompt and completion. */
function withAdditionalTokens({ citation_tokens, reasoning_tokens, ...usage }: JsonObject): JsonObject {
  const [citations = 0, thoughts = 0] = [countOf(citation_tokens), countOf(reasoning_tokens)];
  const [prompt, completion] = [countOf(usage.prompt_tokens), countOf(usage.completion_tokens)];
  if (prompt === undefined || completion === undefined) return usage;
  return {
    ...usage,
    prompt_tokens: prompt + citations,
    completion_tokens: completion + thoughts,
    ...(thoughts > 0 && { completion_tokens_details: { reasoning_tokens: thoughts } }),
  };
}

/** Content may be null, but must not be missing. */
function withContent(message: JsonObject): JsonObject {
  return message.content === undefined ? { ...message, content: null } : message;
}

/** A function requires a description and parameters (`FunctionSpecInput` of the package perplexityai). */
function withDescription(described: JsonObject): JsonObject {
  const { name, description = name, parameters = NO_PARAMETERS } = described;
  const isWhole = description === described.description && parameters === described.parameters;
  return isWhole ? described : { ...described, description, parameters };
}

/** Offers only the function that must be called, as the API cannot choose a function by name. */
function chooseOne(body: JsonObject, { function: chosen }: JsonObject): void {
  const { name } = objectOf(chosen);
  const offered = objectsOf(body.tools).filter((tool) => objectOf(tool.function).name === name);
  delete body.tools;
  delete body.tool_choice;
  if (offered.length > 0) Object.assign(body, { tools: offered, tool_choice: 'required' });
}

/** The user's location is flat and has no timezone (`UserLocationInput`). */
function searchOptions({ user_location: place, ...options }: JsonObject): JsonObject {
  const approximate = isObject(place) && isObject(place.approximate) ? place.approximate : place;
  if (!isObject(approximate)) return options;
  const { timezone: _, type: __, ...user_location } = approximate;
  return { ...options, user_location };
}

/** Sources that a text cites with marks like `[2]`, as OpenAI annotations, one for each mark. */
class CitedSources implements MessageExtras {
  private content = '';
  private body: JsonObject = {};

  read({ content }: JsonObject, body: JsonObject): void {
    if (typeof content === 'string') this.content += content;
    // Each chunk repeats the whole list, except some chunks at the start.
    if (Array.isArray(body.citations) || Array.isArray(body.search_results)) this.body = body;
  }

  fields(): JsonObject {
    const sources = sourcesOf(this.body);
    const annotations = [...this.content.matchAll(/\[(\d{1,3})\]/g)].flatMap((mark) => {
      const source = sources[Number(mark[1]) - 1];
      if (source === undefined) return [];
      return [urlCitation(source.url, source.title, mark.index, mark.index + mark[0].length)];
    });
    return annotations.length > 0 ? { annotations } : {};
  }
}

interface Source {
  url: string;
  title: string;
}

/** Numbered URLs with titles from the search results; an entry without URL stays empty. */
function sourcesOf({ citations, search_results: found }: JsonObject): (Source | undefined)[] {
  const results = objectsOf(found);
  const titles = new Map(results.map(({ url, title }) => [url, textOf(title)]));
  const addresses: unknown[] = Array.isArray(citations) ? citations : results.map(({ url }) => url);
  return addresses.map((address) => {
    const url = textOf(address);
    return url === undefined ? undefined : { url, title: titles.get(url) ?? url };
  });
}

/**
 * Reorders a conversation: system messages first, then user and assistant in turn. Later system messages count as user
 * messages; adjacent messages of one role are merged. Returns the same list if nothing changes.
 */
export function alternating(messages: readonly ReadonlyJsonObject[]): readonly ReadonlyJsonObject[] {
  const opening = messages.findIndex(({ role }) => role !== 'system');
  if (opening < 0) return messages;
  const turns: JsonObject[] = messages.slice(0, opening);
  let changed = false;
  for (const original of messages.slice(opening)) {
    const message = original.role === 'system' ? { ...original, role: 'user' } : original;
    const last = turns.at(-1);
    const joins = last !== undefined && isPlain(message) && isPlain(last) && last.role === message.role;
    if (joins) turns[turns.length - 1] = { ...last, content: joined(last.content, message.content) };
    else turns.push(message);
    changed ||= joins || message !== original;
  }
  return changed ? turns : messages;
}

/** Whether it is a user or assistant message without tool calls. */
function isPlain({ role, tool_calls: calls }: JsonObject): boolean {
  return role === 'user' || (role === 'assistant' && calls === undefined);
}

function joined(first: unknown, second: unknown): unknown {
  if (!first) return second;
  if (!second) return first;
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  return [...partsOf(first), ...partsOf(second)];
}

function partsOf(content: unknown): JsonObject[] {
  return Array.isArray(content) ? content.filter(isObject) : [{ type: 'text', text: content }];
}
