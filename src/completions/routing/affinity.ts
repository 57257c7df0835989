import { createHmac, hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Subject } from 'rxjs';
import { InstallationSecretService } from '../../database/installation-secret.service.js';
import type { ChatCompletionRequest, ChatMessage } from '../../upstreams/contract/chat.types.js';
import type { LiveTarget } from '../../upstreams/target.types.js';
import { UpstreamAccesses } from '../../upstreams/upstream-access.js';

interface WithTarget {
  readonly target: LiveTarget;
}

/** Sends all calls of a conversation to one target, which has the prompt in its cache. */
export class Affinity {
  /** Null: the call belongs to no conversation. Undefined: not computed yet. */
  private known: Buffer | null | undefined;

  constructor(
    private readonly call: ConversationSource,
    private readonly moved: MovedConversations,
  ) {}

  get conversation(): Buffer | null {
    if (this.known === undefined) this.known = conversationOf(this.call);
    return this.known;
  }

  /** The conversation's target among the candidates; null: the call belongs to no conversation. */
  among<Candidate extends WithTarget>(candidates: readonly Candidate[]): Candidate | null {
    const { conversation } = this;
    if (conversation === null) return null;
    const movedTo = this.moved.find(shortNameOf(conversation));
    const there = movedTo && candidates.find(({ target }) => target.id === movedTo);
    return there || best(conversation, candidates);
  }

  /** `peers`: all targets of the same priority, healthy or not. */
  servedBy(served: WithTarget, peers: readonly WithTarget[]): void {
    if (peers.length < 2) return;
    const { conversation } = this;
    if (conversation === null) return;
    const name = shortNameOf(conversation);
    const usual = this.moved.find(name) ?? (best(conversation, peers) ?? served).target.id;
    const { id } = served.target;
    if (id !== usual) this.moved.learn(name, id);
  }
}

function best<Candidate extends WithTarget>(conversation: Buffer, candidates: readonly Candidate[]): Candidate | null {
  let found: Candidate | null = null;
  let highest = Number.NEGATIVE_INFINITY;
  for (const candidate of candidates) {
    const score = rendezvousScore(conversation, candidate.target);
    if (score <= highest) continue;
    found = candidate;
    highest = score;
  }
  return found;
}

function shortNameOf(conversation: Buffer): string {
  return conversation.toString('base64url', 0, 12);
}

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

export interface MovedConversation {
  readonly conversation: string;
  readonly targetId: string;
}

const REMEMBERED = 20_000;
const REMEMBERED_MS = 60 * 60_000;

/**
 * Conversations that moved because their target failed. They stay at the new target, which has their prompt in its
 * cache now. Other conversations are not stored.
 */
@Injectable()
export class MovedConversations {
  /** Moves in this process's own calls. */
  readonly learned = new Subject<MovedConversation>();
  private readonly targets = new LRUCache<string, string>({
    max: REMEMBERED,
    ttl: REMEMBERED_MS,
    updateAgeOnGet: true,
  });

  /** The id of the target it was moved to, if any. */
  find(conversation: string): string | undefined {
    return this.targets.size === 0 ? undefined : this.targets.get(conversation);
  }

  learn(conversation: string, targetId: string): void {
    this.note(conversation, targetId);
    this.learned.next({ conversation, targetId });
  }

  /** Records a move that another process reported. */
  note(conversation: string, targetId: string): void {
    this.targets.set(conversation, targetId);
  }
}

type WeightedTarget = Pick<LiveTarget, 'id' | 'weight'>;

/**
 * Weighted rendezvous hashing: each conversation goes to the target with the highest score. It needs no state, has the
 * same result in every process and follows the weights. When a target is removed, only its conversations move.
 */
export function rendezvousScore(conversation: Buffer, target: WeightedTarget): number {
  return -target.weight / Math.log(drawn(conversation, hashOf(target.id)));
}

/** Above 0 and below 1, constant for a conversation. */
export function shareOf(conversation: Buffer): number {
  return drawn(conversation, 0);
}

/** Between 0 and 1, both excluded, with 52 random bits. */
function drawn(conversation: Buffer, salt: number): number {
  const high = mixed(conversation.readUInt32LE(0) ^ salt);
  const low = mixed(conversation.readUInt32LE(4) ^ salt ^ high);
  return (high * 2 ** 20 + (low >>> 12) + 0.5) / 2 ** 52;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mixed(hash);
}

/** The finalizer of MurmurHash3: each input bit changes half of the output bits. */
function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** OpenAI's limit is 64 characters. */
const LENGTH = 32;

/** Gives providers a cache key for each conversation that reveals nothing about the caller or the conversation. */
@Injectable()
export class CacheKeys {
  constructor(
    private readonly accesses: UpstreamAccesses,
    private readonly secret: InstallationSecretService,
  ) {}

  /** Adds a `prompt_cache_key` if the target supports it and the caller sent none. */
  added(request: ChatCompletionRequest, target: LiveTarget, affinity: Affinity): ChatCompletionRequest {
    const secret = this.secret.value;
    if (secret === null || request.prompt_cache_key != null) return request;
    if (!this.accesses.get(target.upstream).adapter.takesCacheKey || affinity.conversation === null) return request;
    const digest = createHmac('sha256', secret).update(affinity.conversation).digest('base64url');
    return { ...request, prompt_cache_key: digest.slice(0, LENGTH) };
  }
}
