import type { JsonObject } from '../../contract/json.js';

/** A citation in OpenAI's format, for the answer's text from `start` to `end`. */
export function urlCitation(url: string, title: string, start: number, end: number): JsonObject {
  return { type: 'url_citation', url_citation: { start_index: start, end_index: end, url, title } };
}
