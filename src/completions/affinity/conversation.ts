import { hash } from 'node:crypto';
import type { ChatCompletionRequest, ChatMessage } from '../../upstreams/contract/chat.types.js';

/** What a conversation is known by. */
export interface ConversationSource {
  readonly caller: { readonly keyId: string; readonly userId: string };
  readonly model: { readonly id: string; readonly affinity: boolean };
  readonly request: ChatCompletionRequest;
  /** The session that a header of the request names. */
  readonly sessionId: string | undefined;
}

/** Longer texts count by their beginning, their end and their length, so that hashing stays cheap. */
const LONGEST_TEXT = 1024;
/** So many messages and parts of messages are read. */
const MOST_PARTS = 16;

/**
 * SHA-256 of what tells a conversation from all others; null where its calls are not known to belong together. The same
 * in every process.
 */
export function conversationOf(source: ConversationSource): Buffer | null {
  if (!source.model.affinity) return null;
  const name = nameOf(source);
  return name === null ? null : hash('sha256', name, 'buffer');
}

/** A name that the caller gave counts for all of his keys; without one it takes an answer to know a conversation by. */
function nameOf({ caller, model, request, sessionId }: ConversationSource): string | null {
  const { prompt_cache_key: cacheKey, metadata, messages } = request;
  if (typeof cacheKey === 'string' && cacheKey !== '') return named('key', caller.userId, cacheKey);
  const session = sessionId ?? sessionIn(metadata?.user_id);
  if (session) return named('session', caller.userId, session);
  if (!messages.some(({ role }) => role === 'assistant')) return null;
  return named('messages', caller.keyId, model.id, ...firstTexts(messages));
}

/** Claude Code's forms: `user_…_account_…_session_<id>`, and JSON with `session_id`. */
function sessionIn(userId: unknown): string | undefined {
  if (typeof userId !== 'string') return undefined;
  return /(?:^|_)session_([\w-]+)$/.exec(userId)?.[1] ?? /"session_id"\s*:\s*"([^"]+)"/.exec(userId)?.[1];
}

/** Up to the first message of the user. */
function firstTexts(messages: readonly ChatMessage[]): string[] {
  const texts: string[] = [];
  for (const { role, content } of messages.slice(0, MOST_PARTS)) {
    if (role === 'assistant') continue;
    texts.push(role, ...textsOf(content));
    if (role === 'user') break;
  }
  return texts;
}

function textsOf(content: ChatMessage['content']): string[] {
  if (typeof content === 'string') return [content];
  return (content ?? []).slice(0, MOST_PARTS).flatMap((part) => {
    if (part.type === 'text') return [part.text];
    return part.type === 'image_url' ? [part.image_url.url] : [];
  });
}

/** With the length of each text, so that no two lists read the same. */
function named(...texts: string[]): string {
  return texts.map((text) => `${text.length}:${shortened(text)}`).join('');
}

function shortened(text: string): string {
  return text.length <= LONGEST_TEXT ? text : text.slice(0, LONGEST_TEXT / 2) + text.slice(-LONGEST_TEXT / 2);
}
