import { countOf, isObject, type JsonObject } from '../../../upstreams/contract/json.js';

/** Chat's nested citation → a flat one relative to the text from `start` to `end`; undefined outside that text. */
export function toAnnotation({ type, url_citation: citation }: JsonObject, start: number, end: number) {
  if (type !== 'url_citation' || !isObject(citation) || typeof citation.url !== 'string') return undefined;
  const { url, title } = citation;
  const from = countOf(citation.start_index) ?? start;
  const to = countOf(citation.end_index) ?? from;
  if (from < start || from > end) return undefined;
  const within = { start_index: from - start, end_index: Math.min(to, end) - start };
  return { type, url, title: typeof title === 'string' ? title : '', ...within };
}
