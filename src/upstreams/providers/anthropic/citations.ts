import { type JsonObject, objectsOf } from '../../contract/json.js';
import { urlCitation } from '../shared/url-citation.js';

/**
 * Citations of one text block as OpenAI annotations, except citations of documents, which have no URL. `start` and
 * `end`: the block's position in the answer's content.
 */
export function toAnnotations(citations: unknown, start: number, end: number): JsonObject[] {
  return objectsOf(citations).flatMap(({ url = null, source, title }) => {
    const address = url ?? source;
    if (typeof address !== 'string' || !/^https?:\/\//i.test(address)) return [];
    return [urlCitation(address, typeof title === 'string' ? title : address, start, end)];
  });
}
