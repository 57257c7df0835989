import { countOf, isObject, type JsonObject } from '../../contract/json.js';

/**
 * A citation of a web page in chat's form, which is nested; undefined for one of another kind, which chat does not have.
 * `offset`: how much text stands before that which its places count in.
 */
export function urlCitation(annotation: unknown, offset: number): JsonObject | undefined {
  if (!isObject(annotation) || annotation.type !== 'url_citation' || typeof annotation.url !== 'string')
    return undefined;
  const start = countOf(annotation.start_index);
  const end = countOf(annotation.end_index);
  if (start === undefined || end === undefined) return undefined;
  const { url, title } = annotation;
  return {
    type: 'url_citation',
    url_citation: {
      start_index: start + offset,
      end_index: end + offset,
      url,
      title: typeof title === 'string' ? title : '',
    },
  };
}
