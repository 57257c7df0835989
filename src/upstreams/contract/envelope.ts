import type {
  ChatChoice,
  ChatChunkChoice,
  ChatCompletion,
  ChatCompletionChunk,
  CompletionUsage,
} from './chat.types.js';
import type { ProviderCall } from './provider.adapter.js';

export function chunkOf({ id, created, model }: ProviderCall, choices: ChatChunkChoice[]): ChatCompletionChunk {
  return { id, object: 'chat.completion.chunk', created, model, choices };
}

export function completionOf(
  { id, created, model }: ProviderCall,
  choices: ChatChoice[],
  usage?: CompletionUsage,
): ChatCompletion {
  return { id, object: 'chat.completion', created, model, choices, ...(usage && { usage }) };
}
