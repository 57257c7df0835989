/**
 * A copy of the text as one flat string. V8 stores slices and concatenations as references to their parts, and
 * `JSON.stringify` takes twice as long from the first of them on.
 */
export function flatText(text: string): string {
  return Buffer.from(text).toString();
}
