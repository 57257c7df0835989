import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { BearerGuard } from '../../auth/bearer.guard.js';
import { completionIdOf } from '../../common/completion-id.js';
import { JsonBodyReader } from '../../http/body/json-body.reader.js';
import { commonHeaders } from '../../http/request-context.js';
import { LimitsService } from '../../limits/limits.service.js';
import type { Model } from '../../models/model.types.js';
import { NativeCountsService } from '../../upstreams/attempt/native-counts.service.js';
import { UpstreamError } from '../../upstreams/contract/upstream.error.js';
import { countPromptTokens } from '../../upstreams/tokens/prompt-tokens.js';
import { TokenCounter } from '../../upstreams/tokens/token-counter.js';
import { CompletionsService } from '../completions.service.js';
import { refuseProviderFiles } from '../dto/provider-files.js';
import type { CallFormat, ClientCall } from '../formats/call-format.js';
import { OverloadService } from '../overload/overload.service.js';

export interface TokenCount {
  readonly tokens: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Counts the input tokens of requests without answering them. They have no ledger row, as nobody is billed. */
@Injectable()
export class TokenCountsService {
  private readonly logger = new Logger('TokenCounts');

  constructor(
    private readonly guard: BearerGuard,
    private readonly limits: LimitsService,
    private readonly overload: OverloadService,
    private readonly bodies: JsonBodyReader,
    private readonly completions: CompletionsService,
    private readonly counter: TokenCounter,
    private readonly counts: NativeCountsService,
  ) {}

  /** Counts as one request in the caller's rates. Rejects with a `GatewayError`. */
  async count(request: Request, format: CallFormat): Promise<TokenCount> {
    const { context } = request;
    const caller = await this.guard.authenticate(request);
    const refusal = this.limits.refusalOfCaller(caller) ?? this.overload.enter(caller.keyId);
    if (refusal !== null) throw refusal;
    context.hasSlot = true;
    const client = format.read(await this.bodies.read(request, format.keepsBytes, format.parse), request);
    const model = this.completions.modelOf(caller, format.api, client.request.model, context);
    if (!model.providerFiles) refuseProviderFiles(client);
    const headers = await this.limits.takeRequest(caller);
    const counted = await this.nativeCount(completionIdOf(context.id), client, model);
    const tokens = counted ?? (await countPromptTokens(client.charged, this.counter));
    return { tokens, headers: { ...commonHeaders(request), ...headers } };
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
