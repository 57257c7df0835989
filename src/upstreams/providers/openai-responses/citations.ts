import { countOf, isObject, type JsonObject } from '../../contract/json.js';
import { urlCitation } from '../shared/url-citation.js';

/** A web citation in chat's nested format; empty for other kinds. `offset`: the length of the text before the part. */
export function toAnnotations(annotation: unknown, offset: number): JsonObject[] {
  if (!isObject(annotation) || annotation.type !== 'url_citation' || typeof annotation.url !== 'string') return [];
  const start = countOf(annotation.start_index);
  const end = countOf(annotation.end_index);
  if (start === undefined || end === undefined) return [];
  const { url, title } = annotation;
  return [urlCitation(url, typeof title === 'string' ? title : '', start + offset, end + offset)];
}
