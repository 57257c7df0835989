import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Authenticator } from '../auth/bearer.guard.js';
import { flatText } from '../common/ids.js';
import { JsonBodyReader } from '../http/body/json-body.reader.js';
import { clientLeft, type RequestContext } from '../http/request-context.js';
import { LimitsService } from '../limits/limits.service.js';
import { CatalogService } from '../models/catalog.service.js';
import { TracesService } from '../telemetry/traces.service.js';
import { TokenCounter } from '../upstreams/tokens/token-counter.js';
import { RefusalsService } from '../usage/refusals.service.js';
import { GatheredRefusals, OverloadService } from './admission/overload/overload.service.js';
import { CompletionsService } from './completions.service.js';
import type { AnswerSink, CallFormat, ClientCall } from './formats/call-format.js';
import { guardedAnswer } from './guarding/guarded-answer.js';
import { GuardedCallsService } from './guarding/guarded-calls.service.js';
import { restored, restoringReply } from './guarding/restoring-reply.js';
import { AnswerCacheService, type CachingAnswer } from './replies/answer-cache.service.js';
import { IdempotencyService } from './replies/idempotency.service.js';
import { allSinks, type Completion, RepliesService } from './replies/replies.service.js';
import { RouterService } from './routing/router.service.js';
import { ContentRecorderService } from './settlement/content-recorder.service.js';
import { RowsService } from './settlement/rows.service.js';

const MAX_MODEL_LENGTH = 1000;

/** Records requests that were refused elsewhere; it refuses none itself. */
@Injectable()
export class RefusedCallsService {
  constructor(
    private readonly refusals: RefusalsService,
    private readonly traces: TracesService,
    private readonly catalog: CatalogService,
  ) {}

  recordIfRefused(context: RequestContext, body: unknown): void {
    const { id, route, startedAt, keyId, keyDisplay, userId, requested, error, call, clientAddress, userAgent } =
      context;
    if (!error || call) return;
    const { code, type, message } = error.body;
    const { status } = error;
    // What a guard has blocked, or could not check, is not stored, wherever it was.
    const isUnchecked = code === 'content_blocked' || code === 'guard_unavailable';
    const requestedModel = isUnchecked ? null : requestedModelOf(body);
    const model = requested.model ?? this.catalog.find(requestedModel ?? '')?.id ?? null;
    const ms = performance.now() - startedAt;
    const errorCode = code ?? type;
    this.refusals.record(
      {
        requestId: id,
        api: route.name,
        keyId,
        keyDisplay,
        userId,
        model,
        status,
        code: errorCode,
        message,
        requestedModel,
        clientAddress,
        userAgent,
      },
      ms,
    );
    this.traces.refused(
      { requestId: id, api: route.name, model, httpStatus: status, errorCode, ms },
      context.traceparent,
    );
  }
}

function requestedModelOf(body: unknown): string | null {
  const model = typeof body === 'object' && body !== null && 'model' in body ? body.model : null;
  return typeof model === 'string' ? flatText(model.slice(0, MAX_MODEL_LENGTH)) : null;
}

/**
 * The road of every call, for all APIs. Counting tokens is not a call and has fewer stages: `token-counts.service.ts`.
 * Where each stage continues, below `src/`:
 * - limits and the ledger row: `completions/settlement/rows.service.ts`, then `limits/limits.service.ts` and
 *   `ledger/usage-ledger.service.ts`
 * - translation: `upstreams/providers/`, a folder for each upstream API; finish reasons: `response.ts` in it, for dialects that of
 *   `openai/`
 *
 * docs/architecture.md has the whole path, and docs/development.md how to add a provider.
 */
@Injectable()
export class CallsService {
  private readonly refusals = new GatheredRefusals();

  constructor(
    private readonly authenticator: Authenticator,
    private readonly limits: LimitsService,
    private readonly overload: OverloadService,
    private readonly bodies: JsonBodyReader,
    private readonly completions: CompletionsService,
    private readonly idempotency: IdempotencyService,
    private readonly cache: AnswerCacheService,
    private readonly rows: RowsService,
    private readonly router: RouterService,
    private readonly contents: ContentRecorderService,
    private readonly replies: RepliesService,
    private readonly refusedCalls: RefusedCallsService,
    private readonly tokens: TokenCounter,
    private readonly guarding: GuardedCallsService,
  ) {}

  /** Resolves when the reply has been written or the call was refused; rejects with an error that must still be sent. */
  async serve(request: Request, response: Response, format: CallFormat): Promise<void> {
    const { context } = request;
    // Known callers need no promise, which would cost each call a turn of the microtask queue.
    const found = this.authenticator.authenticate(request);
    const caller = found instanceof Promise ? await found : found;
    const refusal = this.limits.refusalOfCaller(caller) ?? this.overload.enter(context.ownerId ?? '');
    if (refusal !== null) return this.refusals.send(response, refusal);
    context.hasSlot = true;
    // Yields once, so that a body that arrived with its headers can be read without waiting.
    await null;
    const own = await this.bodies.read(request, format.keepsBytes, format.parse);
    const recalled =
      format.memory && (await format.memory.recall(caller, own, (json) => this.bodies.admitMore(context.body, json)));
    context.pathOf = recalled?.pathOf;
    const whole = recalled?.body ?? own;
    const guards = this.guarding.of(caller, format, whole, request);
    const body = guards === null ? whole : await this.guarding.checked(guards, caller, whole, request);
    const client = format.read(body, request, recalled);
    context.pathOf = errorPathsOf(client);
    if (client.check) {
      await client.check(this.completions.modelOf(caller, format.api, client.request.model, context), this.tokens);
    }
    const call = this.completions.prepare(caller, format.api, client, context);
    const looked = this.idempotency.find(call, request, body);
    const stored = looked && (await looked);
    if (Buffer.isBuffer(stored)) {
      const again = guards?.masks.isRestoring ? Buffer.from(restored(stored.toString(), guards.masks)) : stored;
      return this.replies.sendAgain(response, call, again, await this.limits.takeRequest(caller));
    }
    const left = clientLeft(response);
    const memory = recalled?.sink ?? null;
    let caching: CachingAnswer | null = null;
    try {
      if (left.aborted) return;
      const looking = this.cache.find(call, request, body, left, guards?.masks.isRestoring);
      if (looking) {
        const { hit, result, caching: begun } = await looking;
        caching = begun;
        if (left.aborted) return;
        if (hit) {
          const opened = await this.rows.cached(call, hit.cached);
          this.cache.noteHit(call, hit.cached);
          context.call = opened.record;
          return await this.send(response, { opened, ...hit, guards, caching }, left, stored, memory);
        }
        response.setHeader('x-gateway-cache', result);
      }
      const opened = await this.rows.open(call);
      context.call = opened.record;
      try {
        const routed = this.router.route(call, opened.terms);
        const settling = this.rows.settling(opened, routed, left);
        await this.send(response, { opened, head: routed, answer: settling, guards, caching }, left, stored, memory);
      } finally {
        if (opened.record.answering === null) await this.rows.settleUnrouted(opened);
      }
    } finally {
      if (caching) caching.end(left.aborted);
      if (stored) await stored.release();
    }
  }

  /** Sends an answer through its guards to the client, and to what repeats it. */
  private send(
    response: Response,
    { opened, head, answer, guards, caching }: Sent,
    left: AbortSignal,
    stored: AnswerSink | null,
    memory: AnswerSink | null,
  ): Promise<void> {
    const { call } = opened;
    const guarded = guards === null ? answer : guardedAnswer(answer, opened, head, guards);
    const isContentLogged = this.contents.isOnFor(call);
    const logged = isContentLogged ? this.contents.recorded(call, guarded) : guarded;
    const cached = caching ? caching.recorded(logged, opened, head) : logged;
    const plain = { reply: call.client.reply(call), stored };
    const writing = guards === null ? plain : restoringReply(plain, guards.masks);
    const completion = { opened, head, answer: cached, reply: writing.reply, guards, isContentLogged };
    return this.replies.send(response, completion, left, allSinks(writing.stored, memory, caching));
  }

  /** Called once for each request, also a refused one, when its response has ended or its client has disconnected. */
  ended({ context, body }: Request): void {
    if (context.hasSlot) this.overload.leave(context.ownerId ?? '');
    this.refusedCalls.recordIfRefused(context, body);
  }
}

/** An answer, fresh or from the cache, with what looks at it and stores it. */
interface Sent extends Pick<Completion, 'opened' | 'head' | 'answer' | 'guards'> {
  readonly caching: CachingAnswer | null;
}

/** Changes the path of a field in an error to the path in the client's request. */
function errorPathsOf({ native, pathOf }: ClientCall): ((path: string) => string) | undefined {
  const nativePath = native?.untranslatable?.body.param;
  return pathOf && ((path) => (path === nativePath ? (native?.pathOf?.(path) ?? path) : pathOf(path)));
}
