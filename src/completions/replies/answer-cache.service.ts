import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Observable, tap } from 'rxjs';
import { type CacheResult, CacheUsageService } from '../../cache/cache-usage.service.js';
import { AnswerCollector, answersFor, type CachedAnswer } from '../../cache/cached-answer.js';
import {
  AnswerClaim,
  CachedAnswersService,
  type CacheQuestion,
  type FoundAnswer,
} from '../../cache/cached-answers.service.js';
import { invalidRequest } from '../../common/gateway.error.js';
import { endOfId } from '../../common/ids.js';
import type { ModelSettings } from '../../config/models.settings.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { type MemberEdits, withMembers } from '../../json/json-members.js';
import { hostedTools } from '../../limits/paid-options.js';
import type { Answer } from '../../upstreams/contract/chat.types.js';
import { objectOf, type ReadonlyJsonObject } from '../../upstreams/contract/json.js';
import { mediaIn } from '../../upstreams/tokens/native-walk.js';
import type { CompletionCall } from '../completion.call.js';
import type { AnswerSink } from '../formats/call-format.js';
import { attemptHeaders, type ReplyHead } from '../routing/routed-answer.js';
import type { OpenedCall } from '../settlement/call-row.js';
import { hashOfRequest } from './idempotency-key.js';

const HEADER = 'x-gateway-cache';
/** Of calls that only their own header caches. */
const DEFAULT_TTL_SECONDS = 3600;
const UNREAD_LIMIT_MS = 60_000;
/** Fields that differ between equal calls. */
const APART = ['stream', 'stream_options', 'user', 'metadata', 'safety_identifier', 'prompt_cache_key', 'session_id'];
/** Those that native answers of the Responses API repeat. */
const REPEATED = ['metadata', 'user', 'safety_identifier', 'prompt_cache_key'];

/** What the cache has for a call that it is on for. */
export interface CacheTurn {
  readonly result: CacheResult;
  readonly hit: CacheHit | null;
  readonly caching: CachingAnswer | null;
}

export interface CacheHit {
  readonly cached: CachedAnswer;
  readonly head: ReplyHead;
  readonly answer: Observable<Answer>;
}

const BYPASS: CacheTurn = { result: 'bypass', hit: null, caching: null };

/** Answers equal calls from the cache, where a model's row, a project, a key or the caller's header turned it on. */
@Injectable()
export class AnswerCacheService {
  private readonly rows = new WeakMap<ModelSettings, string>();

  constructor(
    private readonly answers: CachedAnswersService,
    private readonly usage: CacheUsageService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /**
   * Null: the cache is not on for this call. `body`: the request as it is sent on. `isPrivate`: its answer is restored
   * with values of this caller, so that other users and projects may not get it. Throws a 400 for an invalid header.
   */
  find(
    call: CompletionCall,
    { headers }: Request,
    body: unknown,
    left: AbortSignal,
    isPrivate = false,
  ): Promise<CacheTurn> | null {
    const header = headers[HEADER];
    const { caller, model } = call;
    if (header === undefined && caller.cacheSeconds === null && model.cache === null) return null;
    const input = header === undefined ? 'on' : this.inputOf(header);
    const ttlSeconds = caller.cacheSeconds ?? (model.cache ? model.cache.ttl / 1000 : this.ttlByHeader(header));
    if (ttlSeconds === 0 && input !== 'off') return null;
    const isShared = model.cache?.shared === true;
    const isOn = input !== 'off' && this.answers.isPossible && !(isShared && isPrivate) && isCacheable(call);
    return isOn
      ? this.turn(call, body, { ttlSeconds, isShared, isRefresh: input === 'refresh' }, left)
      : this.bypass(call);
  }

  /** Call it once the row of the call is closed. */
  noteHit({ caller, model }: CompletionCall, { nanodollars }: CachedAnswer): void {
    this.usage.note(model.id, ownerOf(caller), 'hit', nanodollars);
  }

  private async bypass({ caller, model }: CompletionCall): Promise<CacheTurn> {
    this.usage.note(model.id, ownerOf(caller), 'bypass');
    return BYPASS;
  }

  private async turn(
    call: CompletionCall,
    body: unknown,
    { ttlSeconds, isShared, isRefresh }: { ttlSeconds: number; isShared: boolean; isRefresh: boolean },
    left: AbortSignal,
  ): Promise<CacheTurn> {
    const { caller, model, id: callId, request } = call;
    const ownerId = isShared ? null : ownerOf(caller);
    const key = await this.keyOf(call, ownerId, objectOf(body));
    const question: CacheQuestion = {
      key,
      ownerId,
      model: model.id,
      callId,
      isStream: request.stream === true,
      ttlSeconds,
    };
    const found = isRefresh ? this.answers.unclaimed(question) : await this.answers.find(question, left);
    if (found === null) return this.bypass(call);
    if (found instanceof AnswerClaim) {
      this.usage.note(model.id, ownerOf(caller), 'miss');
      return { result: 'miss', hit: null, caching: new CachingAnswer(found, this.settings.cache.maxAnswer) };
    }
    return { result: 'hit', hit: hitOf(found, call, objectOf(body)), caching: null };
  }

  private keyOf(call: CompletionCall, ownerId: string | null, body: ReadonlyJsonObject): Promise<Buffer> {
    const { api, model, native } = call;
    const fields: Record<string, unknown> = { ...body, model: model.id };
    for (const name of APART) delete fields[name];
    const row = this.settings.models.find(({ id }) => id === model.id);
    return hashOfRequest(api, { ownerId, row: row && this.digestOf(row), headers: native?.body.headers ?? {}, fields });
  }

  private digestOf(row: ModelSettings): string {
    let digest = this.rows.get(row);
    if (digest === undefined) {
      const text = JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
      digest = hash('sha256', text, 'base64');
      this.rows.set(row, digest);
    }
    return digest;
  }

  private inputOf(header: string | string[]): 'on' | 'off' | 'refresh' {
    if (header === 'off' || header === 'refresh') return header;
    if (header === 'on' && this.settings.cacheByHeader) return header;
    const choices = this.settings.cacheByHeader ? 'on, off or refresh' : 'off or refresh';
    throw invalidRequest('invalid_value', null, `The header ${HEADER} must be ${choices}.`);
  }

  private ttlByHeader(header: string | string[] | undefined): number {
    return this.settings.cacheByHeader && header !== undefined ? DEFAULT_TTL_SECONDS : 0;
  }
}

/** Stores the answer of a call once its reply was sent whole. */
export class CachingAnswer implements AnswerSink {
  private readonly collector: AnswerCollector;
  private opened: OpenedCall | null = null;
  private head: ReplyHead | null = null;

  constructor(
    private readonly claim: AnswerClaim,
    most: number,
  ) {
    this.collector = new AnswerCollector(most);
  }

  /** The same answer. */
  recorded(answer: Observable<Answer>, opened: OpenedCall, head: ReplyHead): Observable<Answer> {
    this.opened = opened;
    this.head = head;
    return answer.pipe(tap((part) => this.collector.see(part)));
  }

  /** It stores the answer's parts, as a reply's text has the ids of its call. */
  add(): void {}

  /** The reply does not wait for the database; equal calls find the answer from now on. */
  async keep(): Promise<void> {
    const answer = this.cacheable();
    if (answer) this.claim.store(answer);
    else this.claim.release('failed');
  }

  async release(): Promise<void> {
    this.claim.release('failed');
  }

  /** Does nothing if the answer was stored. */
  end(hasLeft: boolean): void {
    this.claim.release(hasLeft ? 'left' : 'failed');
  }

  private cacheable(): CachedAnswer | null {
    const { opened, head } = this;
    const closed = opened?.record.closed;
    if (!opened || !head || closed?.status !== 'settled') return null;
    if (opened.record.finishReason === 'content_filter') return null;
    const { call, allowance, record } = opened;
    if (closed.servedModel !== call.model.id || allowance.outputCeiling !== null) return null;
    const collected = this.collector.collected(record.usage);
    const ignored = head.headers['x-gateway-ignored-parameters'];
    const { tokens, finishReason, costNanodollars } = closed;
    return (
      collected && {
        ...collected,
        ...{ usage: record.usage, tokens, finishReason, nanodollars: Number(costNanodollars), ignored },
      }
    );
  }
}

function ownerOf({ project, userId }: CompletionCall['caller']): string {
  return project?.id ?? userId;
}

/** Sound, pictures, files and the provider's own tools are more than the request's text says. */
function isCacheable({ charged }: CompletionCall): boolean {
  const { modalities } = charged;
  if (Array.isArray(modalities) && modalities.some((modality) => modality !== 'text')) return false;
  return hostedTools(charged).length === 0 && mediaIn(charged).size === 0;
}

function hitOf({ answer: cached, storedMs }: FoundAnswer, call: CompletionCall, body: ReadonlyJsonObject): CacheHit {
  const { id, request, startedAt, modelName } = call;
  const created = Math.floor(startedAt.getTime() / 1000);
  const isStream = request.stream === true;
  const includesUsage = request.stream_options?.include_usage === true;
  const native = nativeEdits(call, created, body);
  const parts = answersFor(cached, { id, created, modelName, isStream, includesUsage }, native);
  const headers = {
    ...attemptHeaders(0),
    ...(cached.ignored && { 'x-gateway-ignored-parameters': cached.ignored }),
    [HEADER]: 'hit',
    age: String(Math.max(0, Math.floor((performance.now() - storedMs) / 1000))),
  };
  return {
    cached,
    head: { headers, flow: null, unreadLimit: UNREAD_LIMIT_MS },
    answer: new Observable((client) => {
      for (const part of parts) client.next(part);
      client.complete();
    }),
  };
}

/** The data of one event. */
const DATA = /(?:^data: .*\n)+/gm;

/** Gives native JSON, or the events of a native stream, the call's own id, time and model, and its fields that are repeated. */
function nativeEdits(call: CompletionCall, created: number, body: ReadonlyJsonObject): (text: string) => string {
  const { api, id, modelName, request } = call;
  if (api !== 'responses' && api !== 'messages') return (text) => text;
  const isResponse = api === 'responses';
  const repeated = REPEATED.map((name) => [name, JSON.stringify(body[name] ?? (name === 'metadata' ? {} : null))]);
  const own: MemberEdits = {
    id: JSON.stringify(`${isResponse ? 'resp' : 'msg'}_${endOfId(id)}`),
    model: JSON.stringify(modelName),
    ...(isResponse && { created_at: String(created), ...Object.fromEntries(repeated) }),
  };
  if (request.stream !== true) return (text) => withMembers(text, own);
  const edits = { [isResponse ? 'response' : 'message']: own };
  return (text) =>
    text.replace(DATA, (lines) => {
      const json = lines.slice(DATA_FIELD.length, -1).replaceAll(`\n${DATA_FIELD}`, '\n');
      return `${DATA_FIELD}${withMembers(json, edits).replaceAll('\n', `\n${DATA_FIELD}`)}\n`;
    });
}

const DATA_FIELD = 'data: ';
