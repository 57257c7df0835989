import { isObject, type JsonObject } from '../../contract/json.js';
import type { UpstreamEvent } from '../../contract/provider.adapter.js';
import { unreadable } from '../../contract/upstream.error.js';

/**
 * The JSON object that an event holds; undefined for an event that holds none, or that cannot be read and is none of
 * the API's own. Throws when one of its own is not JSON. `parse` is another than `JSON.parse` for events that may hold a
 * call's arguments as values.
 */
export function eventData(
  { event, data }: UpstreamEvent,
  isOwn: (event: string) => boolean,
  parse: (text: string) => unknown = JSON.parse,
): JsonObject | undefined {
  try {
    const value = parse(data);
    return isObject(value) ? value : undefined;
  } catch (cause) {
    if (data.trim() === '' || data.startsWith('[DONE]') || !isOwn(event)) return undefined;
    throw unreadable('An event of the stream is not JSON.', { cause });
  }
}
