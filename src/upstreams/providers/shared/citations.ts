import type { AnswerImage } from '../../contract/chat.types.js';
import { countOf, isObject, type JsonObject, listOf, objectOf, objectsOf, textOf } from '../../contract/json.js';

/** A citation in OpenAI's format, for the answer's text from `start` to `end`. */
export function urlCitation(url: string, title: string, start: number, end: number): JsonObject {
  return { type: 'url_citation', url_citation: { start_index: start, end_index: end, url, title } };
}

/** A picture of an answer, in OpenRouter's form. `carried`: further fields. */
export function answerImage(url: string, index: number, carried: JsonObject = {}): AnswerImage {
  return { ...carried, type: 'image_url', index, image_url: { url } };
}

const PICTURE = /^(?:data:image\/|https?:\/\/)/i;

/** The pictures in a list of an answer or of an earlier one; entries of other forms are skipped. */
export function imagesIn(list: unknown): AnswerImage[] {
  return objectsOf(list).flatMap((entry, position) => {
    const url = isObject(entry.image_url) ? textOf(entry.image_url.url) : undefined;
    const { extra_content: extra } = entry;
    const carried = isObject(extra) ? { extra_content: extra } : {};
    return url === undefined || !PICTURE.test(url) ? [] : [answerImage(url, countOf(entry.index) ?? position, carried)];
  });
}

/** The paths of the pictures of earlier answers. */
export function imagePaths(messages: unknown): string[] {
  const paths: string[] = [];
  for (const [index, message] of listOf(messages).entries()) {
    const { images } = objectOf(message);
    if (images !== undefined && imagesIn(images).length > 0) paths.push(`messages[${index}].images`);
  }
  return paths;
}
