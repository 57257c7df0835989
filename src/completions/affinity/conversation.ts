import { hash } from 'node:crypto';
import type { ChatCompletionRequest, ChatMessage } from '../../upstreams/contract/chat.types.js';

export interface ConversationSource {
  readonly caller: { readonly keyId: string; readonly userId: string };
  readonly model: { readonly id: string; readonly affinity: boolean };
  readonly request: ChatCompletionRequest;
  /** From a request header. */
  readonly sessionId: string | undefined;
}

/** For longer texts, only beginning, end and length are hashed. */
const MAX_TEXT_LENGTH = 1024;
/** The maximum number of messages, and of parts of a message, that are hashed. */
const MAX_PARTS = 16;

/** A SHA-256 that identifies the conversation, the same in every process; null if the call belongs to none. */
export function conversationOf(source: ConversationSource): Buffer | null {
  if (!source.model.affinity) return null;
  const name = nameOf(source);
  return name === null ? null : hash('sha256', name, 'buffer');
}

/**
 * A name from the caller applies to all keys of the user. Without one, a conversation is recognized from its second
 * question on.
 */
function nameOf({ caller, model, request, sessionId }: ConversationSource): string | null {
  const { prompt_cache_key: cacheKey, metadata, messages } = request;
  if (typeof cacheKey === 'string' && cacheKey !== '') return named('key', caller.userId, cacheKey);
  const session = sessionId ?? sessionIn(metadata?.user_id);
  if (session) return named('session', caller.userId, session);
  if (!messages.some(({ role }) => role === 'assistant')) return null;
  return named('messages', caller.keyId, model.id, ...firstTexts(messages));
}

/** The formats of Claude Code: `user_…_account_…_session_<id>`, and JSON with `session_id`. */
function sessionIn(userId: unknown): string | undefined {
  if (typeof userId !== 'string') return undefined;
  return /(?:^|_)session_([\w-]+)$/.exec(userId)?.[1] ?? /"session_id"\s*:\s*"([^"]+)"/.exec(userId)?.[1];
}

function firstTexts(messages: readonly ChatMessage[]): string[] {
  const texts: string[] = [];
  for (const { role, content } of messages.slice(0, MAX_PARTS)) {
    if (role === 'assistant') continue;
    texts.push(role, ...textsOf(content));
    if (role === 'user') break;
  }
  return texts;
}

function textsOf(content: ChatMessage['content']): string[] {
  if (typeof content === 'string') return [content];
  return (content ?? []).slice(0, MAX_PARTS).flatMap((part) => {
    if (part.type === 'text') return [part.text];
    return part.type === 'image_url' ? [part.image_url.url] : [];
  });
}

/** Has length prefixes, so that different lists never have the same name. */
function named(...texts: string[]): string {
  return texts.map((text) => `${text.length}:${shortened(text)}`).join('');
}

function shortened(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : text.slice(0, MAX_TEXT_LENGTH / 2) + text.slice(-MAX_TEXT_LENGTH / 2);
}
