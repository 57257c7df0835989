import { countOf, isObject, type JsonObject, textOf } from '../../contract/json.js';
import { urlCitation } from '../shared/url-citation.js';

/** Where each text block of an answer begins in its content, by the block's index. */
export type TextOffsets = ReadonlyMap<unknown, number>;

/**
 * Citations as OpenAI's annotations, which know web addresses only: a source without a `url` has no place there, nor
 * has a citation within a plan or a thought.
 */
export function toAnnotations(citations: readonly unknown[], offsets: TextOffsets): JsonObject[] {
  return citations.filter(isObject).flatMap(({ start, end, sources, type, content_index: block }) => {
    const from = countOf(start);
    const to = countOf(end);
    const isOfText = type === undefined || type === 'TEXT_CONTENT';
    if (!isOfText || from === undefined || to === undefined || !Array.isArray(sources)) return [];
    const offset = offsets.get(block) ?? 0;
    return sources.flatMap(addressOf).map(({ url, title }) => urlCitation(url, title, offset + from, offset + to));
  });
}

/** The address in a document, or in what a tool answered. */
function addressOf(source: unknown): { url: string; title: string }[] {
  if (!isObject(source)) return [];
  const content = isObject(source.document) ? source.document : source.tool_output;
  const url = isObject(content) ? textOf(content.url) : undefined;
  if (!isObject(content) || url === undefined || !/^https?:\/\//i.test(url)) return [];
  return [{ url, title: textOf(content.title) ?? url }];
}
