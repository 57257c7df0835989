import { countOf, isObject, type JsonObject, objectOf, textOf } from '../../contract/json.js';
import { urlCitation } from '../shared/url-citation.js';

/** The position of each text block in the answer's content, by block index. */
export type TextOffsets = ReadonlyMap<unknown, number>;

/** Drops sources without a URL, which OpenAI's annotations need, and citations within a plan or reasoning. */
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

/** A document or a tool result may have the URL. */
function addressOf(source: unknown): { url: string; title: string }[] {
  if (!isObject(source)) return [];
  const content = objectOf(isObject(source.document) ? source.document : source.tool_output);
  const url = textOf(content.url);
  if (url === undefined || !/^https?:\/\//i.test(url)) return [];
  return [{ url, title: textOf(content.title) ?? url }];
}
