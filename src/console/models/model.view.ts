import type { Model, ModelObstacle } from '../../models/model.types.js';
import { toDollars } from '../shared/spending.js';
import type { ModelPriceView, ModelView } from './dto/model.dto.js';
import type { ModelStanding } from './model-health.service.js';

/** `obstacle`: why the viewer cannot call it. */
export function toModelView(model: Model, obstacle: ModelObstacle | null, standing: ModelStanding): ModelView {
  const { id, displayName, description, ownedBy, tier, contextLength, maxOutputTokens, simulated } = model;
  return {
    id,
    aliases: model.aliases,
    kind: model.kind,
    displayName,
    description,
    ownedBy,
    tier,
    contextLength,
    dimensions: model.dimensions,
    maxInputTokens: model.maxInputTokens,
    maxOutputTokens,
    capabilities: model.capabilities,
    inputModalities: model.inputModalities,
    outputModalities: model.outputModalities,
    price: toPriceView(model),
    hasPrice: model.hasPrice,
    providerFiles: model.providerFiles,
    simulated,
    ...standing,
    callable: obstacle === null,
    reason: obstacle,
  };
}

function toPriceView({ price, usdPerMTok }: Model): ModelPriceView {
  const { input, cachedInput, output, cacheWrite5m, cacheWrite1h } = usdPerMTok;
  return {
    inputUsdPerMTok: input,
    cachedInputUsdPerMTok: cachedInput,
    outputUsdPerMTok: output,
    cacheWrite5mUsdPerMTok: cacheWrite5m,
    cacheWrite1hUsdPerMTok: cacheWrite1h,
    serviceTiers: Object.fromEntries(price.serviceTiers),
    hostedTools: Object.fromEntries([...price.hostedTools].map(([tool, usd]) => [tool, toDollars(usd)])),
  };
}
