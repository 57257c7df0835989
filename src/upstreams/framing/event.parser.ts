import type { UpstreamEvent } from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';

/** Cuts the bytes of one answer into events, each handed on at once. What it cannot read is a thrown `UpstreamError`. */
export interface EventParser {
  push(bytes: Buffer): void;
  /** The body has ended: an event that lacks only its end mark is still handed on. */
  end(): void;
}

export type OnEvent = (event: UpstreamEvent) => void;

/** Makes the parser of one answer; `maxEventSize` is in characters. */
export type CreateEventParser = (onEvent: OnEvent, maxEventSize?: number) => EventParser;

/** An event may hold an image in base64. */
export const MAX_EVENT_SIZE = 16 * 1024 * 1024;

/** Whether the last event of a body that stopped short is all there. */
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
