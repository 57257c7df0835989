import { Injectable } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { Caller } from '../auth/caller.types.js';
import { idGenerator } from '../common/random-id.js';
import type { RequestContext } from '../common/request-context.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { ClockService } from '../database/clock.service.js';
import { CatalogService } from '../models/catalog.service.js';
import type { Model } from '../models/model.types.js';
import { TracesService } from '../telemetry/traces/traces.service.js';
import { UpstreamAccesses } from '../upstreams/attempt/upstream-access.js';
import type { Answer, ChatCompletionRequest } from '../upstreams/contract/chat.types.js';
import { ActiveCallsService } from './active-calls.service.js';
import { CompletionCall } from './completion.call.js';
import { faultError } from './dto/fault.js';
import { foreignValueIn } from './dto/foreign-values.js';
import { MeterService } from './metering/meter.service.js';
import { unsupportedFeatureError, unsupportedFeatures } from './model-capabilities.js';
import type { ReplyHead } from './routing/routed-answer.js';
import { RouterService } from './routing/router.service.js';

const newCompletionId = idGenerator('chatcmpl-', 16);

/** A call that was let in, and its answer to come; nothing is opened or asked before somebody subscribes. */
export interface Completion {
  call: CompletionCall;
  head: ReplyHead;
  answer: Observable<Answer>;
}

/** Serves chat completions: finds the model, checks what it can do, then meters what the router brings. */
@Injectable()
export class CompletionsService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly accesses: UpstreamAccesses,
    private readonly router: RouterService,
    private readonly meters: MeterService,
    private readonly active: ActiveCallsService,
    private readonly clock: ClockService,
    private readonly traces: TracesService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** Throws a `GatewayError` for a call that cannot be let in. */
  create(caller: Caller, request: ChatCompletionRequest, context: RequestContext): Completion {
    this.active.assertOpen();
    const model = this.catalog.get(caller, request.model);
    context.model = model.id;
    const { served, ignored } = this.servable(request, model);
    const startedAt = this.clock.date();
    const call = new CompletionCall(newCompletionId(), context, caller, model, served, startedAt, ignored, this.traces);
    const record = this.meters.recordOf(call);
    context.call = record;
    const routed = this.router.route(call);
    return { call, head: routed, answer: this.meters.meter(call, routed, record) };
  }

  /** What the model is known not to do is refused, or left out where that is configured and possible. */
  private servable(request: ChatCompletionRequest, model: Model) {
    const [target] = model.targets;
    const adapter = target && this.accesses.get(target.upstream).adapter;
    const foreign = foreignValueIn(request);
    if (foreign && !adapter?.takesForeignValues) throw faultError(foreign);
    const provider = adapter?.capabilities ?? {};
    const unsupported = unsupportedFeatures(request, model, provider);
    if (unsupported.length === 0) return { served: request, ignored: [] };
    const served = { ...request };
    const ignored: string[] = [];
    for (const feature of unsupported) {
      if (this.settings.unsupported === 'reject' || feature.removableFields.length === 0) {
        throw unsupportedFeatureError(model.id, feature);
      }
      const given = feature.removableFields.filter((field) => field in served);
      for (const field of given) delete served[field];
      ignored.push(...given);
    }
    return { served, ignored };
  }
}
