import type { ChatCompletionRequest } from '../contract/chat.types.js';
import type { JsonObject } from '../contract/json.js';

const LIKELY = 0.9;

/** Made-up log probabilities; null if none are requested. */
export function simulatedLogprobs(request: ChatCompletionRequest, pieces: readonly string[]): JsonObject | null {
  if (request.logprobs !== true) return null;
  const alternatives = request.top_logprobs ?? 0;
  return { content: pieces.map((piece) => toToken(piece, alternatives)), refusal: null };
}

function toToken(piece: string, alternatives: number): JsonObject {
  const likely = entryOf(piece, LIKELY);
  const others = Array.from({ length: Math.max(alternatives - 1, 0) }, (_, index) =>
    entryOf(`${piece}${'.'.repeat(index + 1)}`, (1 - LIKELY) / 2 ** (index + 1)),
  );
  return { ...likely, top_logprobs: alternatives > 0 ? [likely, ...others] : [] };
}

function entryOf(token: string, probability: number): JsonObject {
  return { token, logprob: Math.log(probability), bytes: [...Buffer.from(token)] };
}
