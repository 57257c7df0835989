import { type JsonObject, objectOf, textOf } from '../../contract/json.js';
import { urlCitation } from '../shared/url-citation.js';

/** A web citation as an annotation from `start` to `end`; empty for other sources. */
export function toAnnotations(citation: unknown, start: number, end: number): JsonObject[] {
  const { location, title } = objectOf(citation);
  const { url, domain } = objectOf(objectOf(location).web);
  const address = textOf(url);
  return address === undefined ? [] : [urlCitation(address, textOf(title) ?? textOf(domain) ?? address, start, end)];
}
