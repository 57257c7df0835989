import { isObject, type JsonObject, textOf } from '../../contract/json.js';

/** A citation of a web page as OpenAI's format has it, for the stretch of the answer from `start` to `end`. */
export function urlCitation(citation: unknown, start: number, end: number): JsonObject | undefined {
  if (!isObject(citation) || !isObject(citation.location) || !isObject(citation.location.web)) return undefined;
  const { url, domain } = citation.location.web;
  const address = textOf(url);
  if (address === undefined) return undefined;
  const title = textOf(citation.title) ?? textOf(domain) ?? address;
  return { type: 'url_citation', url_citation: { start_index: start, end_index: end, url: address, title } };
}
