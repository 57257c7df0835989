import { Injectable } from '@nestjs/common';
import type { GatewayError } from '../../common/gateway.error.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import type { Model } from '../../models/model.types.js';
import { UpstreamAccesses } from '../../upstreams/attempt/upstream-access.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { LiveTarget } from '../../upstreams/targets/target.types.js';
import { faultError } from '../dto/fault.js';
import { foreignValueIn } from '../dto/foreign-values.js';
import { unsupportedFeatureError, unsupportedFeatures } from './model-capabilities.js';

export interface Servable {
  /** Null: the model is simulated. */
  readonly target: LiveTarget | null;
  readonly request: ChatCompletionRequest;
  readonly ignored: readonly string[];
}

const NONE: readonly string[] = [];

/** Finds the targets of a model that can serve a request. Unsupported fields are rejected or left out. */
@Injectable()
export class ServableTargets {
  constructor(
    private readonly accesses: UpstreamAccesses,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** Throws the first target's error when no target can serve the request. */
  of(request: ChatCompletionRequest, model: Model): readonly Servable[] {
    const [first = null, ...others] = model.targets;
    const judged = this.judge(request, model, first);
    if (others.length === 0) {
      if ('request' in judged) return [judged];
      throw judged;
    }
    const servable = this.ofFallback(request, model);
    if (servable.length === 0) throw judged;
    return servable;
  }

  /** Empty when the fallback model cannot serve the request. */
  ofFallback(request: ChatCompletionRequest, model: Model): readonly Servable[] {
    return model.targets.map((target) => this.judge(request, model, target)).filter((one) => 'request' in one);
  }

  private judge(request: ChatCompletionRequest, model: Model, target: LiveTarget | null): Servable | GatewayError {
    const adapter = target && this.accesses.get(target.upstream).adapter;
    const foreign = adapter?.takesForeignValues ? undefined : foreignValueIn(request);
    if (foreign) return faultError(foreign);
    const unsupported = unsupportedFeatures(request, model, adapter?.capabilities ?? {});
    if (unsupported.length === 0) return { target, request, ignored: NONE };
    const served = { ...request };
    const ignored: string[] = [];
    for (const feature of unsupported) {
      if (this.settings.unsupported === 'reject' || feature.removableFields.length === 0) {
        return unsupportedFeatureError(model.id, feature);
      }
      const given = feature.removableFields.filter((field) => field in served);
      for (const field of given) delete served[field];
      ignored.push(...given);
    }
    return { target, request: served, ignored };
  }
}
