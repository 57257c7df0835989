import type {
  ChatChoice,
  ChatChunkChoice,
  ChatCompletion,
  ChatCompletionChunk,
  CompletionUsage,
} from './chat.types.js';
import type { ProviderCall } from './provider.adapter.js';

/** A chunk of a call's answer: one id, one instant and the public model name on all of them. */
export function chunkOf({ id, created, model }: ProviderCall, choices: ChatChunkChoice[]): ChatCompletionChunk {
  return { id, object: 'chat.completion.chunk', created, model, choices };
}

/** A call's whole answer, with the same around its choices. */
export function completionOf(
  { id, created, model }: ProviderCall,
  choices: ChatChoice[],
  usage?: CompletionUsage,
): ChatCompletion {
  return { id, object: 'chat.completion', created, model, choices, ...(usage && { usage }) };
}
