import type { CompletionUsage } from '../../contract/chat.types.js';
import { countOf, isObject, type JsonObject, objectOf } from '../../contract/json.js';

/**
 * Undefined if no usage is reported.
 *
 * The API has two counts: Cohere charges `billed_units`; `tokens` are all tokens that the model read and wrote,
 * including a hidden template. Usage has the billed units. In the details, `context_tokens` is the whole prompt and
 * `cached_context_tokens` its cached part. This is not `cached_tokens`: it includes the template, often exceeds the
 * billed prompt, and does not reduce the price.
 */
export function toUsage(usage: unknown): CompletionUsage | undefined {
  if (!isObject(usage)) return undefined;
  const { billed_units: billed, tokens, cached_tokens } = usage;
  const context = promptTokens(tokens);
  const cached = countOf(cached_tokens);
  const reasoning = countOf(objectOf(tokens).reasoning_tokens);
  if (isCounted(billed)) {
    return usageOf(countOf(billed.input_tokens), countOf(billed.output_tokens), reasoning, {
      ...(context !== undefined && { context_tokens: context }),
      ...(cached !== undefined && { cached_context_tokens: cached }),
    });
  }
  if (!isCounted(tokens)) return undefined;
  return usageOf(
    context,
    countOf(tokens.output_tokens),
    reasoning,
    cached === undefined ? {} : { cached_tokens: cached },
  );
}

function usageOf(prompt = 0, completion = 0, reasoning: number | undefined, details: JsonObject): CompletionUsage {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(Object.keys(details).length > 0 && { prompt_tokens_details: details }),
    ...(reasoning !== undefined && {
      completion_tokens_details: { reasoning_tokens: Math.min(reasoning, completion) },
    }),
  };
}

function isCounted(counts: unknown): counts is JsonObject {
  return isObject(counts) && (countOf(counts.input_tokens) ?? countOf(counts.output_tokens)) !== undefined;
}

/** Images are counted separately from text. */
function promptTokens(tokens: unknown): number | undefined {
  if (!isCounted(tokens)) return undefined;
  return (countOf(tokens.input_tokens) ?? 0) + (countOf(tokens.image_tokens) ?? 0);
}
