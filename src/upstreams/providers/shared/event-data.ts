import { isObject, type JsonObject } from '../../contract/json.js';
import type { UpstreamEvent } from '../../contract/provider.adapter.js';
import { unreadable } from '../../contract/upstream.error.js';

/**
 * The JSON object of an event; undefined if it has none, or if the event is unreadable and not one of the API. Throws
 * if an event of the API is not JSON. `parse`: for events with tool arguments as values.
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
