import type { ChatCompletionRequest } from '../contract/chat.types.js';
import type { ProviderCall } from '../contract/provider.adapter.js';
import type { LiveTarget } from '../targets/target.types.js';

export interface AttemptedCall {
  readonly id: string;
  readonly startedAt: Date;
  /** The model's name in the answer. */
  readonly modelName: string;
  readonly model: { readonly maxOutputTokens: number | null };
}

/** What a target's adapter knows of a call. */
export function toProviderCall(
  { id, startedAt, modelName, model }: AttemptedCall,
  request: ChatCompletionRequest,
  { upstream, upstreamModel, reasonsWithoutTools }: LiveTarget,
): ProviderCall {
  return {
    id,
    created: Math.floor(startedAt.getTime() / 1000),
    model: modelName,
    upstreamModel,
    request,
    reasonsWithoutTools,
    maxOutputTokens: model.maxOutputTokens,
    settings: upstream.settings,
  };
}
