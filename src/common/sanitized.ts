/** An API key, but not the display form `svc_ab12…9xYz`. */
const KEY_TEXT = /svc_(?!\w{4}…\w{4}\b)\w+/g;

/** Shortened and without API keys. */
export function sanitized(text: string | null, longest: number): string | null {
  return text === null ? null : text.replaceAll('\0', '').replace(KEY_TEXT, 'svc_…').slice(0, longest).toWellFormed();
}
