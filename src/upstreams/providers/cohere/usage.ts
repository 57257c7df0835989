import type { CompletionUsage } from '../../contract/chat.types.js';
import { countOf, isObject, type JsonObject } from '../../contract/json.js';

/**
 * Undefined if no usage is reported.
 *
 * The API counts twice: `billed_units` is what Cohere charges, `tokens` is what the model read and wrote, including a
 * hidden template. Usage is the billed units; the whole prompt is `context_tokens` in the details, and its cached part
 * `cached_context_tokens`. That part is not `cached_tokens`: it includes the template, often exceeds the billed prompt,
 * and makes nothing cheaper.
 */
export function toUsage(usage: unknown): CompletionUsage | undefined {
  if (!isObject(usage)) return undefined;
  const { billed_units: billed, tokens, cached_tokens } = usage;
  const context = promptTokens(tokens);
  const cached = countOf(cached_tokens);
  const reasoning = isObject(tokens) ? countOf(tokens.reasoning_tokens) : undefined;
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

/** Images are counted apart from text. */
function promptTokens(tokens: unknown): number | undefined {
  if (!isCounted(tokens)) return undefined;
  return (countOf(tokens.input_tokens) ?? 0) + (countOf(tokens.image_tokens) ?? 0);
}
