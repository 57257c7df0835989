import { countOf, isObject, type JsonObject, textOf } from '../../contract/json.js';
import { urlCitation } from '../shared/url-citation.js';

/**
 * `groundingMetadata` → `url_citation` annotations: one for each segment and source. The API counts bytes; OpenAI
 * counts characters.
 */
export function annotationsOf({ groundingSupports, groundingChunks }: JsonObject, text: string): JsonObject[] {
  if (!Array.isArray(groundingSupports) || !Array.isArray(groundingChunks)) return [];
  const bytes = Buffer.from(text);
  const lengthBefore = (offset: number) => bytes.subarray(0, offset).toString('utf8').length;
  return groundingSupports.filter(isObject).flatMap(({ segment, groundingChunkIndices: indices }) => {
    const end = isObject(segment) ? countOf(segment.endIndex) : undefined;
    if (!isObject(segment) || end === undefined || !Array.isArray(indices)) return [];
    const [from, to] = [lengthBefore(countOf(segment.startIndex) ?? 0), lengthBefore(end)];
    const sources = indices.map((index) => sourceOf(groundingChunks[index])).filter((source) => source !== undefined);
    return sources.map(({ url, title }) => urlCitation(url, title, from, to));
  });
}

function sourceOf(chunk: unknown): { url: string; title: string } | undefined {
  const source = isObject(chunk) ? (chunk.web ?? chunk.retrievedContext) : undefined;
  const url = isObject(source) ? textOf(source.uri) : undefined;
  return isObject(source) && url !== undefined ? { url, title: textOf(source.title) ?? url } : undefined;
}
