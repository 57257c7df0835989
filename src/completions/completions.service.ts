import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.types.js';
import { completionIdOf } from '../common/ids.js';
import { ClockService } from '../database/clock.service.js';
import type { RequestContext } from '../http/request-context.js';
import { LimitsService } from '../limits/limits.service.js';
import { unpricedSoundError } from '../limits/paid-options.js';
import { CatalogService } from '../models/catalog.service.js';
import type { Model } from '../models/model.types.js';
import { TracesService } from '../telemetry/traces.service.js';
import { ServableTargets } from './admission/servable-targets.service.js';
import { CompletionCall } from './completion.call.js';
import type { ClientCall } from './formats/call-format.js';
import { refuseProviderFiles } from './formats/provider-files.js';

/** Prepares calls: finds the model and its targets, and checks the request against them. */
@Injectable()
export class CompletionsService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly targets: ServableTargets,
    private readonly limits: LimitsService,
    private readonly clock: ClockService,
    private readonly traces: TracesService,
  ) {}

  /** `api`: the API that the client called. Throws a `GatewayError` if the call is refused. */
  prepare(caller: Caller, api: string, requested: ClientCall, context: RequestContext): CompletionCall {
    const model = this.modelOf(caller, api, requested.request.model, context);
    const client = this.pricedCall(requested, model);
    if (!model.providerFiles) refuseProviderFiles(client);
    const servable = this.targets.of(client, model);
    const unpriced = unpricedSoundError(client.charged, model);
    if (unpriced) throw unpriced;
    return new CompletionCall(
      completionIdOf(context.id),
      context,
      caller,
      model,
      api,
      client,
      this.clock.date(),
      servable,
      this.fallbacksOf(caller, model, client),
      this.limits,
      this.traces,
    );
  }

  /** Throws a 404 for a model that the caller may not use, and a 400 for a model that this API does not serve. */
  modelOf(caller: Caller, api: string, name: string, context: RequestContext): Model {
    const model = this.catalog.get(caller, name);
    context.requested.model = model.id;
    this.catalog.assertServedBy(model, name, api);
    return model;
  }

  /** Fallbacks that have a price for all requested options and may access the files that the request refers to. */
  private fallbacksOf(caller: Caller, model: Model, { charged }: ClientCall): readonly Model[] {
    const fallbacks = this.catalog.fallbacksOf(caller, model);
    if (fallbacks.length === 0) return fallbacks;
    return fallbacks.filter(
      (other) =>
        this.limits.unpricedOptionError(charged, other) === null &&
        unpricedSoundError(charged, other) === null &&
        (!model.providerFiles || other.providerFiles),
    );
  }

  /** The call, without web search if that has no price. Throws a 400 for other options without a price. */
  private pricedCall(client: ClientCall, model: Model): ClientCall {
    const unpriced = this.limits.unpricedOptionError(client.charged, model);
    if (unpriced === null) return client;
    const without = client.withoutWebSearch?.();
    const still = without && this.limits.unpricedOptionError(without.charged, model);
    if (without && still === null) return without;
    throw still ?? unpriced;
  }
}
