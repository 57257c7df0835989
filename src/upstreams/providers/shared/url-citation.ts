import type { JsonObject } from '../../contract/json.js';

/** A citation of a web page as OpenAI's format has it, for the stretch of the answer from `start` to `end`. */
export function urlCitation(url: string, title: string, start: number, end: number): JsonObject {
  return { type: 'url_citation', url_citation: { start_index: start, end_index: end, url, title } };
}
