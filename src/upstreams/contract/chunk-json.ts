import type { ChatCompletionChunk } from './chat.types.js';

let latest: ChatCompletionChunk | undefined;
let latestJson = '';

/**
 * Remembers the JSON of a new chunk. Chunks are handled one at a time and never modified, so only the latest must be
 * remembered.
 */
export function rememberJson(chunk: ChatCompletionChunk, json: string): void {
  latest = chunk;
  latestJson = json;
}

export function jsonOf(value: unknown): string {
  return value === latest && value !== undefined ? latestJson : JSON.stringify(value);
}
