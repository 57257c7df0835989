/** The two halves of a base64 `data:` URL. */
export interface Base64Data {
  /** Type and subtype alone, in lower case: `image/png`. */
  mediaType: string;
  /** Base64, as it came. */
  data: string;
}

const LONGEST_HEAD = 256;

/** Splits a base64 `data:` URL without looking through its content; undefined for any other address. */
export function base64Data(url: string): Base64Data | undefined {
  const head = /^data:([^;,]+)(?:;[^;,]*)*;base64,/i.exec(url.slice(0, LONGEST_HEAD));
  const mediaType = head?.[1]?.trim().toLowerCase();
  return head && mediaType ? { mediaType, data: url.slice(head[0].length) } : undefined;
}
