import { isObject, type JsonObject } from '../../contract/json.js';

/**
 * The citations of a text that is part of an answer, as OpenAI's annotations; those of documents, which have no address,
 * have no place there. `start` and `end` are where the text begins and ends in the answer's content.
 */
export function toAnnotations(citations: unknown, start: number, end: number): JsonObject[] {
  if (!Array.isArray(citations)) return [];
  return citations.filter(isObject).flatMap(({ url = null, source, title }) => {
    const address = url ?? source;
    if (typeof address !== 'string' || !/^https?:\/\//i.test(address)) return [];
    const citation = { url: address, title: typeof title === 'string' ? title : address };
    return [{ type: 'url_citation', url_citation: { ...citation, start_index: start, end_index: end } }];
  });
}
