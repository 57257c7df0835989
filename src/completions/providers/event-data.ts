import { UpstreamError } from '../upstream/upstream.error.js';
import { isObject, type JsonObject } from './json.js';
import type { UpstreamEvent } from './provider.adapter.js';

/**
 * The JSON object that an event holds; undefined for an event that holds none, or that cannot be read and is none of
 * the API's own. Throws when one of its own is not JSON.
 */
export function eventData({ event, data }: UpstreamEvent, isOwn: (event: string) => boolean): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isObject(value) ? value : undefined;
  } catch (cause) {
    if (data.trim() === '' || data.startsWith('[DONE]') || !isOwn(event)) return undefined;
    throw new UpstreamError({ status: 502, message: 'An event of the stream is not JSON.' }, { cause });
  }
}
