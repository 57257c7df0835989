import type { Model, ModelObstacle } from '../../models/model.types.js';
import type { ModelView } from './dto/model.dto.js';

/** `obstacle`: what keeps the viewer from calling it. */
export function toModelView(model: Model, obstacle: ModelObstacle | null): ModelView {
  const { id, displayName, description, ownedBy, tier, contextLength, maxOutputTokens, simulated } = model;
  const { input, cachedInput, output } = model.usdPerMTok;
  return {
    id,
    displayName,
    description,
    ownedBy,
    tier,
    contextLength,
    maxOutputTokens,
    capabilities: model.capabilities,
    inputModalities: model.inputModalities,
    outputModalities: model.outputModalities,
    price: { inputUsdPerMTok: input, cachedInputUsdPerMTok: cachedInput, outputUsdPerMTok: output },
    simulated,
    callable: obstacle === null,
    reason: obstacle,
  };
}
