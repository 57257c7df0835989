import { type JsonObject, objectsOf } from '../../contract/json.js';
import { urlCitation } from '../shared/url-citation.js';

/**
 * The citations of a text that is part of an answer, as OpenAI's annotations; those of documents, which have no address,
 * have no place there. `start` and `end` are where the text begins and ends in the answer's content.
 */
export function toAnnotations(citations: unknown, start: number, end: number): JsonObject[] {
  return objectsOf(citations).flatMap(({ url = null, source, title }) => {
    const address = url ?? source;
    if (typeof address !== 'string' || !/^https?:\/\//i.test(address)) return [];
    return [urlCitation(address, typeof title === 'string' ? title : address, start, end)];
  });
}
