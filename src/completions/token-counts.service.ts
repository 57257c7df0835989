import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Authenticator } from '../auth/bearer.guard.js';
import { completionIdOf } from '../common/ids.js';
import { JsonBodyReader } from '../http/body/json-body.reader.js';
import { commonHeaders } from '../http/request-context.js';
import { LimitsService } from '../limits/limits.service.js';
import type { Model } from '../models/model.types.js';
import { UpstreamError } from '../upstreams/contract/upstream.error.js';
import { NativeCountsService } from '../upstreams/native-counts.service.js';
import { countPromptTokens } from '../upstreams/tokens/prompt-tokens.js';
import { scaledCounter, TokenCounter } from '../upstreams/tokens/token-counter.js';
import { OverloadService } from './admission/overload/overload.service.js';
import { CompletionsService } from './completions.service.js';
import type { CallFormat, ClientCall } from './formats/call-format.js';
import { refuseProviderFiles } from './formats/provider-files.js';
import { GuardedCallsService } from './guarding/guarded-calls.service.js';

export interface TokenCount {
  readonly tokens: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Of counts at providers, for each project or user; further counts are estimates. */
const MAX_PER_MINUTE = 120;
const MAX_AT_ONCE = 4;

/** Counts the input tokens of requests without answering them. They have no ledger row, as nobody is billed. */
@Injectable()
export class TokenCountsService {
  private readonly logger = new Logger('TokenCounts');
  private readonly rate = new RateLimiterMemory({ points: MAX_PER_MINUTE, duration: 60 });
  private readonly underWay = new Map<string, number>();

  constructor(
    private readonly authenticator: Authenticator,
    private readonly limits: LimitsService,
    private readonly overload: OverloadService,
    private readonly bodies: JsonBodyReader,
    private readonly completions: CompletionsService,
    private readonly counter: TokenCounter,
    private readonly counts: NativeCountsService,
    private readonly guarding: GuardedCallsService,
  ) {}

  /** Counts as one request in the caller's rates. Rejects with a `GatewayError`. */
  async count(request: Request, format: CallFormat): Promise<TokenCount> {
    const { context } = request;
    const caller = await this.authenticator.authenticate(request);
    const refusal = this.limits.refusalOfCaller(caller) ?? this.overload.enter(context.ownerId ?? '');
    if (refusal !== null) throw refusal;
    context.hasSlot = true;
    const own = await this.bodies.read(request, format.keepsBytes, format.parse);
    const guards = this.guarding.of(caller, format, own, request);
    const body = guards === null ? own : await this.guarding.checked(guards, caller, own, request);
    const client = format.read(body, request);
    const model = this.completions.modelOf(caller, format.api, client.request.model, context);
    if (!model.providerFiles) refuseProviderFiles(client);
    const headers = await this.limits.takeRequest(caller);
    const counted = await this.nativeCountWithin(context.ownerId ?? '', completionIdOf(context.id), client, model);
    const tokens = counted ?? (await countPromptTokens(client.charged, scaledCounter(this.counter, model.tokenFactor)));
    return { tokens, headers: { ...commonHeaders(request), ...headers } };
  }

  /** Null for an owner who has used up its counts at providers for now: nobody pays for them, and providers limit them. */
  private async nativeCountWithin(
    ownerId: string,
    id: string,
    client: ClientCall,
    model: Model,
  ): Promise<number | null> {
    const underWay = this.underWay.get(ownerId) ?? 0;
    if (underWay >= MAX_AT_ONCE || !(await this.isWithinRate(ownerId))) return null;
    this.underWay.set(ownerId, underWay + 1);
    try {
      return await this.nativeCount(id, client, model);
    } finally {
      const left = (this.underWay.get(ownerId) ?? 1) - 1;
      if (left > 0) this.underWay.set(ownerId, left);
      else this.underWay.delete(ownerId);
    }
  }

  private async isWithinRate(ownerId: string): Promise<boolean> {
    try {
      await this.rate.consume(ownerId);
      return true;
    } catch (error) {
      if (error instanceof RateLimiterRes) return false;
      throw error;
    }
  }

  /** Counted by the first target that can; null if there is none, or if it fails for a reason of its own. */
  private async nativeCount(id: string, { request, native }: ClientCall, model: Model): Promise<number | null> {
    if (!native || native.body.api === 'embeddings' || native.body.api === 'completions') return null;
    const { body } = native;
    for (const target of model.targets) {
      try {
        const tokens = await this.counts.count({ id, model, request, native: body }, target);
        if (tokens !== null) return tokens;
      } catch (error) {
        if (!(error instanceof UpstreamError) || error.status < 429) throw error;
        this.logger.warn(`The tokens of a request are estimated: ${error.message}`, { target: target.id });
        return null;
      }
    }
    return null;
  }
}
