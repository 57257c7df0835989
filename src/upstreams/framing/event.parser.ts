import type { UpstreamEvent } from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';

/** Splits the bytes of one response into events. Throws an `UpstreamError` for invalid data. */
export interface EventParser {
  push(bytes: Buffer): void;
  /** Called when the body has ended. An event that lacks only its terminator is still passed on. */
  end(): void;
}

export type OnEvent = (event: UpstreamEvent) => void;

/** `maxEventSize` is in characters. */
export type CreateEventParser = (onEvent: OnEvent, maxEventSize?: number) => EventParser;

/** Sufficient for an image in base64. */
export const MAX_EVENT_SIZE = 16 * 1024 * 1024;

/** Whether the last event of a truncated body is complete. */
export function isWhole(data: string): boolean {
  if (data === '[DONE]') return true;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}

export function eventTooLarge(maxEventSize: number): UpstreamError {
  return new UpstreamError({
    status: 502,
    message: `An event of the answer is longer than ${maxEventSize} characters.`,
  });
}
