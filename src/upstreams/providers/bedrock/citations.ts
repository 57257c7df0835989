import { isObject, type JsonObject, textOf } from '../../contract/json.js';
import { urlCitation } from '../shared/url-citation.js';

/** A web citation as an annotation from `start` to `end`; empty for other sources. */
export function toAnnotations(citation: unknown, start: number, end: number): JsonObject[] {
  if (!isObject(citation) || !isObject(citation.location) || !isObject(citation.location.web)) return [];
  const { url, domain } = citation.location.web;
  const address = textOf(url);
  if (address === undefined) return [];
  const title = textOf(citation.title) ?? textOf(domain) ?? address;
  return [urlCitation(address, title, start, end)];
}
