import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BearerGuard } from '../auth/bearer.guard.js';
import { JsonBodyReader } from '../http/body/json-body.reader.js';
import { LimitsService } from '../limits/limits.service.js';
import { TokenCounter } from '../upstreams/tokens/token-counter.js';
import { CompletionsService } from './completions.service.js';
import type { CallFormat, ClientCall } from './formats/call-format.js';
import { IdempotentRepliesService } from './idempotency/idempotent-replies.service.js';
import { GatheredRefusals } from './overload/gathered-refusals.js';
import { OverloadService } from './overload/overload.service.js';
import { RefusedCallsService } from './refused-calls.service.js';

/**
 * The stages of every call, for all APIs. Counting tokens is not a call and has fewer: `counting/token-counts.service.ts`.
 * Where each stage continues, below `src/`:
 * - limits and their 429: `limits/limits.service.ts`; `open`, which checks all limits, is called by
 *   `completions/metering/call-row.ts`
 * - translation: `upstreams/providers/`, a folder for each upstream API; finish reasons: `finish-reason.ts` in it, for dialects
 *   that of `openai/`
 * - the ledger row: `completions/metering/call-row.ts`, then `ledger/usage-ledger.service.ts`
 *
 * docs/architecture.md has the whole path, and CONTRIBUTING.md how to add a provider.
 */
@Injectable()
export class CallsService {
  private readonly refusals = new GatheredRefusals();

  constructor(
    private readonly guard: BearerGuard,
    private readonly limits: LimitsService,
    private readonly overload: OverloadService,
    private readonly bodies: JsonBodyReader,
    private readonly completions: CompletionsService,
    private readonly replies: IdempotentRepliesService,
    private readonly refusedCalls: RefusedCallsService,
    private readonly tokens: TokenCounter,
  ) {}

  /** Resolves when the reply has ended or the call was refused; rejects with an error that must still be sent. */
  async serve(request: Request, response: Response, format: CallFormat): Promise<void> {
    const { context } = request;
    // Known callers need no promise, which would cost each call a turn of the microtask queue.
    const found = this.guard.authenticate(request);
    const caller = found instanceof Promise ? await found : found;
    const refusal = this.limits.refusalOfCaller(caller) ?? this.overload.enter(caller.keyId);
    if (refusal !== null) return this.refusals.send(response, refusal);
    context.hasSlot = true;
    // Yields once, so that a body that arrived with its headers can be read without waiting.
    await null;
    const body = await this.bodies.read(request, format.keepsBytes, format.parse);
    const client = format.read(body, request);
    context.pathOf = errorPathsOf(client);
    if (client.check) {
      await client.check(this.completions.modelOf(caller, format.api, client.request.model, context), this.tokens);
    }
    const completion = this.completions.create(caller, format.api, client, context);
    await this.replies.send(response, completion, body);
  }

  /** Called once for each request, also a refused one, when its response has ended or its client has disconnected. */
  ended({ context, body }: Request): void {
    if (context.hasSlot) this.overload.leave(context.keyId ?? '');
    this.refusedCalls.recordIfRefused(context, body);
  }
}

/**
 * Changes the path of a field in an error to the path in the client's API. Errors of untranslatable fields have that
 * already.
 */
function errorPathsOf({ native, pathOf }: ClientCall): ((path: string) => string) | undefined {
  const clientPath = native?.untranslatable?.body.param;
  return pathOf && ((path) => (path === clientPath ? path : pathOf(path)));
}
