import { countOf, type JsonObject, objectOf, objectsOf, textOf } from '../../contract/json.js';
import { urlCitation } from '../shared/url-citation.js';

/**
 * `groundingMetadata` → `url_citation` annotations: one for each segment and source. The API counts bytes; OpenAI
 * counts characters.
 */
export function annotationsOf({ groundingSupports, groundingChunks }: JsonObject, text: string): JsonObject[] {
  if (!Array.isArray(groundingSupports) || !Array.isArray(groundingChunks)) return [];
  const bytes = Buffer.from(text);
  const lengthBefore = (offset: number) => bytes.subarray(0, offset).toString('utf8').length;
  return objectsOf(groundingSupports).flatMap(({ segment, groundingChunkIndices: indices }) => {
    const { startIndex, endIndex } = objectOf(segment);
    const end = countOf(endIndex);
    if (end === undefined || !Array.isArray(indices)) return [];
    const [from, to] = [lengthBefore(countOf(startIndex) ?? 0), lengthBefore(end)];
    return indices.flatMap((index) => {
      const { web, retrievedContext } = objectOf(groundingChunks[index]);
      const { uri, title } = objectOf(web ?? retrievedContext);
      const url = textOf(uri);
      return url === undefined ? [] : [urlCitation(url, textOf(title) ?? url, from, to)];
    });
  });
}
