import { Injectable } from '@nestjs/common';
import type { Plan } from '../billing/plan.types.js';
import { periodAt, toPrice } from '../billing/price.js';
import { type GatewayError, gatewayError, modelNotSupported } from '../common/gateway.error.js';
import type { ModelSettings, TargetSettings } from '../config/models.settings.js';
import type { PriceSettings } from '../config/price.settings.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import type { LiveTarget } from '../upstreams/target.types.js';
import { UpstreamStatusService } from '../upstreams/upstream-status.service.js';
import type { ListedPrices, Model, ModelObstacle, ModelRights } from './model.types.js';

const NONE: readonly Model[] = [];

/** The models of config/models.yaml, each with its live targets, filtered by the models that a caller can use. */
@Injectable()
export class CatalogService {
  private built: { readonly all: readonly Model[]; readonly byName: ReadonlyMap<string, Model> } | undefined;
  /** Settings can be reloaded: the models are rebuilt after a reload. */
  private builtOf: unknown;
  /** The next instant at which a price ends. */
  private builtUntil = Number.POSITIVE_INFINITY;

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
  assertServedBy(model: Model, name: string, api: string): void {
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
    const now = Date.now();
    if (this.built === undefined || this.builtOf !== this.settings.models || now >= this.builtUntil) {
      const all = this.build(now);
      const byName = new Map(all.flatMap((model) => [model.id, ...model.aliases].map((name) => [name, model])));
      this.built = { all, byName };
      this.builtOf = this.settings.models;
      this.builtUntil = Math.min(...all.map(({ priceUntil }) => priceUntil ?? Number.POSITIVE_INFINITY));
    }
    return this.built;
  }

  private build(now: number): readonly Model[] {
    const { models, simulator } = this.settings;
    const withTargets = models.map((settings) => ({ settings, targets: this.liveTargets(settings) }));
    const anyLive = withTargets.some(({ targets }) => targets.length > 0);
    const simulate = simulator.mode === 'on' || (simulator.mode === 'auto' && !anyLive);
    return withTargets.map(({ settings, targets }) =>
      toModel(settings, targets, simulate && targets.length === 0, now),
    );
  }

  private liveTargets(model: ModelSettings): LiveTarget[] {
    return inOrder(model).flatMap((target) => this.upstreams.targetsOf(target));
  }
}

function toModel(settings: ModelSettings, targets: LiveTarget[], simulated: boolean, now: number): Model {
  const { affinity, hedge, ownedBy, prices, targets: configured, ...listed } = settings;
  const period = periodAt(prices, now);
  return {
    ...listed,
    ownedBy: ownedBy ?? configured[0]?.upstream ?? '',
    inputModalities: listed.capabilities?.includes('image_input') ? ['text', 'image'] : ['text'],
    outputModalities: listed.kind === 'embedding' ? ['embedding'] : ['text'],
    price: toPrice(period.price),
    usdPerMTok: toListed(period.price),
    priceUntil: now < (period.until ?? 0) ? period.until : null,
    endHeaders: endHeaders(listed),
    targets,
    hedgeAfter: hedge?.after ?? null,
    affinity: affinity === 'on',
    simulated,
  };
}

function toListed(price: PriceSettings): Model['usdPerMTok'] {
  const { above = [], ...base } = price;
  return {
    ...tokenPrices(base),
    above: above.map(({ inputTokens, ...step }) => ({ inputTokens, ...tokenPrices(step) })),
  };
}

function tokenPrices(price: Omit<PriceSettings, 'above'>): ListedPrices {
  return {
    input: price.inputUsdPerMTok,
    cachedInput: price.cachedInputUsdPerMTok ?? price.inputUsdPerMTok,
    output: price.outputUsdPerMTok,
    cacheWrites: withoutUndefined(price.cacheWriteUsdPerMTok),
  };
}

function withoutUndefined(writes: PriceSettings['cacheWriteUsdPerMTok'] = {}): Record<string, number> {
  return Object.fromEntries(Object.entries(writes).filter(([, usd]) => usd !== undefined));
}

function endHeaders({ deprecated, replacedBy }: Pick<ModelSettings, 'deprecated' | 'replacedBy'>): Model['endHeaders'] {
  if (deprecated === null) return null;
  return {
    deprecation: `@${deprecated / 1000}`,
    sunset: new Date(deprecated).toUTCString(),
    ...(replacedBy !== null && { link: `</v1/models/${encodeURIComponent(replacedBy)}>; rel="successor-version"` }),
  };
}

function modelNotFound(name: string): GatewayError {
  const shown = name
    .replace(/(svc|gat)_\w+/g, '$1_…')
    .replace(/[^\x20-\x7e…]/g, '')
    .slice(0, 100);
  const message = `The model '${shown}' does not exist or you do not have access to it. GET /v1/models lists yours.`;
  return gatewayError(404, 'model_not_found', message, { param: 'model' });
}

/**
 * The rule for both the list and calls: the model is served, included in the plan, and allowed by the key. Plans and
 * keys name a model by its id or an alias.
 */
export function mayCall({ plan, models }: ModelRights, model: Model): boolean {
  return obstacleTo(plan, model) === null && (models === null || isNamed(model, models));
}

export function obstacleTo(plan: Plan, model: Model): ModelObstacle | null {
  if (!plan.tiers.has(model.tier) && !isNamed(model, plan.models)) return 'plan';
  return model.simulated || model.targets.length > 0 ? null : 'no_credential';
}

function isNamed({ id, aliases }: Model, names: ReadonlySet<string>): boolean {
  return names.has(id) || aliases.some((alias) => names.has(alias));
}

/** Prompts are usually longer than answers, so the input price counts three times. */
const INPUT_WEIGHT = 3;

/** The targets in the order of the model's strategy; the lowest priority is tried first. */
export function inOrder({ strategy, targets }: Pick<ModelSettings, 'strategy' | 'targets'>): TargetSettings[] {
  return (strategy === 'cheapest' ? byCost(targets) : [...targets]).sort((a, b) => a.priority - b.priority);
}

/** Targets of equal cost keep the order of their own priorities. */
function byCost(targets: readonly TargetSettings[]): TargetSettings[] {
  const sorted = [...targets].sort((a, b) => costOf(a) - costOf(b) || a.priority - b.priority);
  let place = 0;
  return sorted.map((target, index) => {
    const before = sorted[index - 1];
    const isEqual = before && costOf(before) === costOf(target) && before.priority === target.priority;
    if (!isEqual) place++;
    return { ...target, priority: place };
  });
}

function costOf({ cost }: TargetSettings): number {
  return cost ? cost.inputUsdPerMTok * INPUT_WEIGHT + cost.outputUsdPerMTok : 0;
}
