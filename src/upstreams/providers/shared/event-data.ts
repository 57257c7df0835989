import { saysContextTooLong } from '../../contract/context-overflow.js';
import { isObject, type JsonObject, objectOf, textOf } from '../../contract/json.js';
import type { UpstreamEvent } from '../../contract/provider.adapter.js';
import { type UpstreamFailure, unreadable } from '../../contract/upstream.error.js';

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

const LIMIT = 1000;

/** Keys, tokens and account ids as they occur in error messages, even if partly masked. */
const SECRETS = [
  /\b(?:sk|pk|rk|xai|gsk|key)[-_](?=[A-Za-z0-9._-]*[\d*])[A-Za-z0-9*._-]{6,}/gi,
  /(?<=\bAPI key(?: provided| ID)?:\s?)(?!\[removed\])\S*[A-Za-z0-9*]/gi,
  /\b(?:org|organization|proj|project|user|team|account)[-_](?=[A-Za-z]*\d)[A-Za-z0-9]{8,}/gi,
  /(?<=\b(?:team|organization|project|account)(?: ID)?:?\s["'`]?)[0-9a-f]{8}-[0-9a-f-]{27}/gi,
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_.-]+/g,
  /\bya29\.[A-Za-z0-9_.-]{10,}|\bAIza[A-Za-z0-9_-]{10,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\barn:aws[a-z-]*:[^\s"'`,)]+/g,
];

/**
 * An upstream's message for the caller: at most 1 kB, with the public model name, without secrets or account ids.
 * Undefined if there is no text, or if it is an HTML page.
 */
export function upstreamMessage(
  text: string | undefined,
  call: { model: string; upstreamModel: string },
): string | undefined {
  const trimmed = text?.trim();
  if (!trimmed || /^<(?:!doctype|html|head|body|\?xml)/i.test(trimmed)) return undefined;
  const message = withoutSecrets(trimmed.slice(0, 4 * LIMIT));
  return message.replaceAll(call.upstreamModel, call.model).slice(0, LIMIT);
}

/** The message in an error body: `{error: {message}}`, `{error}`, `{message}`, AWS's `{Message}`, or plain text. */
export function messageIn(body: unknown): string | undefined {
  const { error, message, Message } = objectOf(body);
  return textOf(body) ?? textOf(objectOf(error).message) ?? textOf(message) ?? textOf(Message) ?? textOf(error);
}

/** The code of a refused request, by the API's message. */
export function refusalCode(message: string, contentRefused: RegExp): UpstreamFailure['code'] {
  if (contentRefused.test(message)) return 'content_filter';
  return saysContextTooLong(message) ? 'context_length_exceeded' : undefined;
}

/** Removes texts that look like a secret or an account id. */
export function withoutSecrets(text: string): string {
  let cleaned = text;
  for (const secret of SECRETS) cleaned = cleaned.replace(secret, '[removed]');
  return cleaned;
}
