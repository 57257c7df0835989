import { isObject } from '../../contract/json.js';

/** Undefined if there is no list. */
export function annotationsOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value.filter(isUrlCitation) : undefined;
}

function isUrlCitation(annotation: unknown): boolean {
  if (!isObject(annotation) || annotation.type !== 'url_citation' || !isObject(annotation.url_citation)) return false;
  const { start_index, end_index, url, title } = annotation.url_citation;
  return (
    Number.isInteger(start_index) && Number.isInteger(end_index) && typeof url === 'string' && typeof title === 'string'
  );
}
