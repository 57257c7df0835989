import type { ModelView, Usage } from './chat.types';

const MILLION = 1_000_000;

/** A call's cost by the model's price, in US dollars; the simulator is free. Null if unknown. */
export function costUsd(model: ModelView | undefined, usage: Usage): number | null {
  if (!model) return null;
  if (model.simulated) return 0;
  if (!model.hasPrice) return null;
  const { inputUsdPerMTok, cachedInputUsdPerMTok, outputUsdPerMTok } = model.price;
  const cached = Math.min(usage.prompt_tokens_details?.cached_tokens ?? 0, usage.prompt_tokens);
  const input = (usage.prompt_tokens - cached) * inputUsdPerMTok + cached * cachedInputUsdPerMTok;
  return (input + usage.completion_tokens * outputUsdPerMTok) / MILLION;
}
