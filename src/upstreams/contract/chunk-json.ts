import type { ChatCompletionChunk } from './chat.types.js';

let latest: ChatCompletionChunk | undefined;
let latestJson = '';

/**
 * To be told of a chunk that was just made and whose JSON is known. Chunks go their way one by one and nobody changes
 * one: so the latest is enough, and a copy with other fields is another chunk.
 */
export function knowJson(chunk: ChatCompletionChunk, json: string): void {
  latest = chunk;
  latestJson = json;
}

export function jsonOf(value: unknown): string {
  return value === latest && value !== undefined ? latestJson : JSON.stringify(value);
}
