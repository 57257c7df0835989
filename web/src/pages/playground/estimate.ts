import type { ChatRequest, ModelView, Usage } from './chat-settings';

const MILLION = 1_000_000;

/** A call's cost by the model's price, in US dollars; the simulator is free. Null if unknown. */
export function costUsd(model: ModelView | undefined, usage: Usage): number | null {
  if (!model) return null;
  if (model.simulated) return 0;
  if (!model.hasPrice) return null;
  const step = model.price.above.findLast(({ inputTokens }) => usage.prompt_tokens > inputTokens);
  const { inputUsdPerMTok, cachedInputUsdPerMTok, outputUsdPerMTok } = step ?? model.price;
  const cached = Math.min(usage.prompt_tokens_details?.cached_tokens ?? 0, usage.prompt_tokens);
  const input = (usage.prompt_tokens - cached) * inputUsdPerMTok + cached * cachedInputUsdPerMTok;
  return (input + usage.completion_tokens * outputUsdPerMTok) / MILLION;
}

/** About this many characters make a token. */
const CHARACTERS_A_TOKEN = 4;
/** Providers count between some hundreds and some thousands for an image. */
const TOKENS_AN_IMAGE = 1000;

/** A rough number of tokens of a request's prompt. */
export function roughTokens({ messages, tools }: ChatRequest): number {
  let images = 0;
  const text = JSON.stringify([messages, tools ?? []], (name, value: unknown) => {
    if (name !== 'image_url') return value;
    images++;
    return undefined;
  });
  return Math.ceil(text.length / CHARACTERS_A_TOKEN) + images * TOKENS_AN_IMAGE;
}

export interface Estimate {
  readonly model: string;
  readonly tokens: number;
  /** Of the prompt, and with the longest answer; null if unknown. */
  readonly promptUsd: number | null;
  readonly mostUsd: number | null;
}

/** What a request will cost about, before it is sent. */
export function estimateOf(request: ChatRequest, model: ModelView): Estimate {
  const tokens = roughTokens(request);
  const most = request.max_completion_tokens ?? model.maxOutputTokens;
  const cost = (answer: number) =>
    costUsd(model, { prompt_tokens: tokens, completion_tokens: answer, total_tokens: tokens + answer });
  return { model: model.displayName, tokens, promptUsd: cost(0), mostUsd: most === null ? null : cost(most) };
}
