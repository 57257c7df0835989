/** The parsed JSON, or the text itself if it is not JSON. */
export function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
