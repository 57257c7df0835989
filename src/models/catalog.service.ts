import { Injectable } from '@nestjs/common';
import type { Plan } from '../billing/plan.types.js';
import { toPrice } from '../billing/price.js';
import { type GatewayError, gatewayError } from '../common/gateway.error.js';
import { modelNotSupported } from '../common/gateway.errors.js';
import type { ModelSettings } from '../config/models.settings.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { UpstreamStatusService } from '../upstreams/status/upstream-status.service.js';
import type { LiveTarget } from '../upstreams/targets/target.types.js';
import type { Model, ModelObstacle, ModelRights } from './model.types.js';
import { mayCall, obstacleTo } from './model-policy.js';
import { inOrder } from './target-order.js';

const NONE: readonly Model[] = [];

/** The models of config/models.yaml, each with its live targets, filtered by the models that a caller can use. */
@Injectable()
export class CatalogService {
  private built: { readonly all: readonly Model[]; readonly byName: ReadonlyMap<string, Model> } | undefined;
  /** Settings can be reloaded: the models are rebuilt after a reload. */
  private builtOf: unknown;

  constructor(
    @InjectSettings() private readonly settings: Settings,
    private readonly upstreams: UpstreamStatusService,
  ) {}

  all(): readonly Model[] {
    return this.models.all;
  }

  /** `name`: an id or an alias. */
  find(name: string): Model | undefined {
    return this.models.byName.get(name);
  }

  unpriced(): string[] {
    return this.all().flatMap(({ id, hasPrice }) => (hasPrice ? [] : [id]));
  }

  list(rights: ModelRights): Model[] {
    return this.all().filter((model) => mayCall(rights, model));
  }

  /** Throws a 400 for a model that this API does not serve; `name`: its id or alias, as the client wrote it. */
  assertCalledBy(model: Model, name: string, api: string): void {
    if ((api === 'embeddings') !== (model.kind === 'embedding')) throw modelNotSupported(name, model.kind);
  }

  obstacleTo(plan: Plan, model: Model): ModelObstacle | null {
    return obstacleTo(plan, model);
  }

  /**
   * `name`: an id or an alias. Throws the same 404 for a model that does not exist and for one that the caller may not
   * use.
   */
  get(rights: ModelRights, name: string): Model {
    const model = this.find(name);
    if (!model || !mayCall(rights, model)) throw modelNotFound(name);
    return model;
  }

  fallbacksOf(rights: ModelRights, { fallback }: Model): readonly Model[] {
    if (fallback.length === 0) return NONE;
    return fallback.flatMap((name) => {
      const model = this.find(name);
      return model && !model.simulated && mayCall(rights, model) ? [model] : [];
    });
  }

  private get models() {
    if (this.built === undefined || this.builtOf !== this.settings.models) {
      const all = this.build();
      const byName = new Map(all.flatMap((model) => [model.id, ...model.aliases].map((name) => [name, model])));
      this.built = { all, byName };
      this.builtOf = this.settings.models;
    }
    return this.built;
  }

  private build(): readonly Model[] {
    const { models, simulator } = this.settings;
    const withTargets = models.map((settings) => ({ settings, targets: this.liveTargets(settings) }));
    const anyLive = withTargets.some(({ targets }) => targets.length > 0);
    const simulate = simulator.mode === 'on' || (simulator.mode === 'auto' && !anyLive);
    return withTargets.map(({ settings, targets }) => toModel(settings, targets, simulate && targets.length === 0));
  }

  private liveTargets(model: ModelSettings): LiveTarget[] {
    return inOrder(model).flatMap((target) => this.upstreams.targetsOf(target));
  }
}

function toModel(settings: ModelSettings, targets: LiveTarget[], simulated: boolean): Model {
  const { affinity, hedge, ownedBy, price, targets: configured, ...listed } = settings;
  return {
    ...listed,
    ownedBy: ownedBy ?? configured[0]?.upstream ?? '',
    inputModalities: listed.capabilities?.includes('image_input') ? ['text', 'image'] : ['text'],
    outputModalities: listed.kind === 'embedding' ? ['embedding'] : ['text'],
    price: toPrice(price),
    usdPerMTok: {
      input: price.inputUsdPerMTok,
      cachedInput: price.cachedInputUsdPerMTok ?? price.inputUsdPerMTok,
      output: price.outputUsdPerMTok,
      cacheWrite5m: price.cacheWrite5mUsdPerMTok ?? null,
      cacheWrite1h: price.cacheWrite1hUsdPerMTok ?? null,
    },
    targets,
    hedgeAfter: hedge?.after ?? null,
    affinity: affinity === 'on',
    simulated,
  };
}

function modelNotFound(name: string): GatewayError {
  const shown = name
    .replace(/svc_\w+/g, 'svc_…')
    .replace(/[^\x20-\x7e…]/g, '')
    .slice(0, 100);
  const message = `The model '${shown}' does not exist or you do not have access to it. GET /v1/models lists yours.`;
  return gatewayError(404, 'model_not_found', message, { param: 'model' });
}
