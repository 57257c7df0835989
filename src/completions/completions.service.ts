import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.types.js';
import { completionIdOf } from '../common/completion-id.js';
import { ClockService } from '../database/clock.service.js';
import type { RequestContext } from '../http/request-context.js';
import { unpricedOptionError } from '../limits/paid-options.js';
import { CatalogService } from '../models/catalog.service.js';
import type { Model } from '../models/model.types.js';
import { TracesService } from '../telemetry/traces/traces.service.js';
import { ActiveCallsService } from './call/active-calls.service.js';
import { CompletionCall } from './call/completion.call.js';
import { ServableTargets } from './call/servable-targets.service.js';
import { ContentRecorderService } from './content/content-recorder.service.js';
import { refuseProviderFiles } from './dto/provider-files.js';
import type { ClientCall } from './formats/call-format.js';
import { MeterService } from './metering/meter.service.js';
import type { Completion } from './replies/completion.types.js';
import { RouterService } from './routing/router.service.js';

/** Serves calls in the inner form: finds the model, checks the request against it, routes and meters the call. */
@Injectable()
export class CompletionsService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly targets: ServableTargets,
    private readonly router: RouterService,
    private readonly meters: MeterService,
    private readonly contents: ContentRecorderService,
    private readonly active: ActiveCallsService,
    private readonly clock: ClockService,
    private readonly traces: TracesService,
  ) {}

  /** `api`: the API that the client called. Throws a `GatewayError` if the call is refused. */
  create(caller: Caller, api: string, asked: ClientCall, context: RequestContext): Completion {
    this.active.assertOpen();
    const model = this.modelOf(caller, api, asked.request.model, context);
    const client = pricedCall(asked, model);
    if (!model.providerFiles) refuseProviderFiles(client);
    const call = new CompletionCall(
      completionIdOf(context.id),
      context,
      caller,
      model,
      api,
      client,
      this.clock.date(),
      this.targets.of(client, model),
      this.fallbacksOf(caller, model, client),
      this.traces,
    );
    const routed = this.router.route(call);
    const record = this.meters.recordOf(call);
    context.call = record;
    const metered = this.meters.meter(call, routed, record);
    const isContentLogged = this.contents.isOnFor(call);
    const answer = isContentLogged ? this.contents.recorded(call, metered) : metered;
    return { call, head: routed, record, answer, reply: client.reply(call), isContentLogged };
  }

  /** Throws a 404 for a model that the caller may not use, and a 400 for a model that this API does not serve. */
  modelOf(caller: Caller, api: string, name: string, context: RequestContext): Model {
    const model = this.catalog.get(caller, name);
    context.requested.model = model.id;
    this.catalog.assertCalledBy(model, name, api);
    return model;
  }

  /** Fallbacks that have a price for all requested options and may access the files that the request refers to. */
  private fallbacksOf(caller: Caller, model: Model, { charged }: ClientCall): readonly Model[] {
    const fallbacks = this.catalog.fallbacksOf(caller, model);
    if (fallbacks.length === 0) return fallbacks;
    return fallbacks.filter(
      (other) => unpricedOptionError(charged, other) === null && (!model.providerFiles || other.providerFiles),
    );
  }
}

/** The call, without web search if that has no price. Throws a 400 for other options without a price. */
function pricedCall(client: ClientCall, model: Model): ClientCall {
  const unpriced = unpricedOptionError(client.charged, model);
  if (unpriced === null) return client;
  const without = client.withoutWebSearch?.();
  const still = without && unpricedOptionError(without.charged, model);
  if (without && still === null) return without;
  throw still ?? unpriced;
}
