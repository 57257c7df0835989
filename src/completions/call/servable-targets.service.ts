import { Injectable } from '@nestjs/common';
import type { GatewayError } from '../../common/gateway.error.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import type { Model } from '../../models/model.types.js';
import { UpstreamAccesses } from '../../upstreams/attempt/upstream-access.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { NativeBody } from '../../upstreams/contract/native.body.js';
import type { LiveTarget } from '../../upstreams/targets/target.types.js';
import { faultError } from '../dto/fault.js';
import { foreignValueIn } from '../dto/foreign-values.js';
import type { NativeRequest } from '../formats/call-format.js';
import { unsupportedFeatureError, unsupportedFeatures } from './model-capabilities.js';

export interface Servable {
  /** Null: the model is simulated. */
  readonly target: LiveTarget | null;
  readonly request: ChatCompletionRequest;
  /** The client's own request, for a target with the client's API; null: the target gets `request`. */
  readonly native: NativeBody | null;
  readonly ignored: readonly string[];
}

/** A request in the inner form and, if there can be native targets, in the client's form. */
export interface RequestForms {
  readonly request: ChatCompletionRequest;
  readonly native: NativeRequest | null;
}

const NONE: readonly string[] = [];
/** For native requests only the model's own capabilities are checked. */
const ANY_CONTENT = { tool_images: true };

/** Finds the targets of a model that can serve a request. Unsupported fields are refused or left out. */
@Injectable()
export class ServableTargets {
  constructor(
    private readonly accesses: UpstreamAccesses,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** Throws the first target's error if no target can serve the request. */
  of(forms: RequestForms, model: Model): readonly Servable[] {
    const [first = null, ...others] = model.targets;
    const judged = this.judge(forms, model, first);
    if (others.length === 0) {
      if ('request' in judged) return [judged];
      throw judged;
    }
    const servable = this.ofFallback(forms, model);
    if (servable.length === 0) throw judged;
    return servable;
  }

  /** Empty if the fallback model cannot serve the request. */
  ofFallback(forms: RequestForms, model: Model): readonly Servable[] {
    return model.targets.map((target) => this.judge(forms, model, target)).filter((one) => 'request' in one);
  }

  private judge({ request, native }: RequestForms, model: Model, target: LiveTarget | null): Servable | GatewayError {
    if (native && this.takes(native.body, target)) {
      const unsupported = unsupportedFeatures(request, model, ANY_CONTENT).find(
        ({ param }) => !native.optional?.has(param),
      );
      if (unsupported) return unsupportedFeatureError(model.id, unsupported);
      return { target, request, native: native.body, ignored: native.leftOut ?? NONE };
    }
    if (native?.untranslatable) return native.untranslatable;
    const fitting = native?.capsOutput ? withModelsLimit(request, model) : request;
    return this.translated({ request: fitting, native }, model, target);
  }

  private translated(
    { request, native }: RequestForms,
    model: Model,
    target: LiveTarget | null,
  ): Servable | GatewayError {
    const adapter = target && this.accesses.get(target.upstream).adapter;
    const optional = native?.optional;
    const untranslated = native ? [...(native.leftOut ?? NONE), ...native.untranslated] : NONE;
    const foreign = adapter?.takesForeignValues ? undefined : foreignValueIn(request);
    if (foreign) return faultError(foreign);
    const unsupported = unsupportedFeatures(request, model, adapter?.capabilities ?? {});
    if (unsupported.length === 0) return { target, request, native: null, ignored: untranslated };
    const served = { ...request };
    const ignored = [...untranslated];
    for (const feature of unsupported) {
      const isNeeded = this.settings.unsupported === 'reject' && !optional?.has(feature.param);
      if (isNeeded || feature.removableFields.length === 0) {
        return unsupportedFeatureError(model.id, feature);
      }
      const given = feature.removableFields.filter((field) => field in served);
      for (const field of given) delete served[field];
      ignored.push(...given.map((field) => optional?.get(field) ?? field));
    }
    return { target, request: served, native: null, ignored };
  }

  /** The simulator (`null`) also supports embeddings, which are always native. */
  private takes(body: NativeBody, target: LiveTarget | null): boolean {
    return target === null ? body.api === 'embeddings' : this.accesses.takes(body, target);
  }
}

function withModelsLimit(request: ChatCompletionRequest, { maxOutputTokens: limit }: Model): ChatCompletionRequest {
  return limit !== null && (request.max_tokens ?? 0) > limit ? { ...request, max_tokens: limit } : request;
}
