import type { ContextOverflow } from '../../common/gateway.error.js';

/** How APIs and servers say that the prompt exceeds the model's context; context-overflow.spec.ts says who. */
const WORDS: readonly RegExp[] = [
  /context_length_exceeded|exceed_context_size|context_window_exceeded/,
  /(?:maximum|max) (?:context|prompt|model) length|context (?:length|window|size|limit) (?:of|is|exceeded|limit)/,
  /exceeds?,? (?:(?:the|its|this) )?(?:(?:model'?s?|available|maximum|max) )*context/,
  /prompt (?:is too long|exceeds max length)|input is too long for|input tokens? exceed|too many tokens in the prompt/,
  /too many (?:input |prompt )?tokens(?! per\b)(?!:? ?.*\bmax tokens must be\b)/,
  /input token count\b.{0,100}\b(?:exceeds the maximum number|only supports)|prompt token count of \d+ exceeds/s,
  /reduce the length of (?:the|your) (?:messages|input|prompt)|exceeded model token limit/,
  /longer than the (?:maximum model|model's context) length|tokens. ?\+ .?max_new_tokens.? must be/,
  /range of input length should be|context window exceeds limit|tokens to keep from the initial prompt/,
  /trying to keep the first \d+ tokens when context/,
].map(({ source, flags }) => new RegExp(source, `i${flags}`));

/** Whether an upstream's error says that the prompt exceeds the model's context. */
export function saysContextTooLong(text: string): boolean {
  return WORDS.some((words) => words.test(text));
}

const NUMBER = String.raw`(\d[\d,]{0,11})`;

const MAXIMA = [
  '> # maximum',
  String.raw`exceed context limit: [\d,]+ \+ [\d,]+ > #`,
  'maximum (?:context|prompt|model) length(?: is| of|:)? (?:only )?#',
  'with # maximum context length',
  String.raw`maximum number of tokens allowed \(#`,
  'only supports up to #',
  'max input tokens: #',
  'limit for this model is #',
  'cannot exceed #',
  'limit (?:of|is|:) ?#',
  String.raw`context (?:length|size) (?:of only |\()?#`,
  'must be <= #',
  'token limit: #',
  'exceeds the limit of #',
  String.raw`input length should be \[\d+, #`,
].map(withNumber);

const PROMPTS = [
  'too long: #',
  String.raw`\(# (?:in the messages|of text input)`,
  'total of(?: at least)? #',
  '(?:resulted in|received|current length is|given:|requested:) #',
  '(?:requested|requested about|contains|contains at least|request has|first) # (?:input )?tokens',
  String.raw`token count(?: is| of|:)? \(?#`,
  String.raw`(?:prompt|input|request) \((?:length )?#`,
].map(withNumber);

const BOTH_LENGTHS = withNumber(String.raw`exceed context limit: # \+ #`);
const EXCESS = withNumber('exceeded by #');

/**
 * The numbers in an upstream's message. Where it has none, `estimated` (tokens) and the model's context length; the
 * tokens are always more than the maximum.
 */
export function toContextOverflow(message: string, estimated: number, contextLength: number): ContextOverflow {
  const [tokens, maximum] = [tokensIn(message), numberIn(message, MAXIMA)];
  if (maximum === undefined) {
    const most = tokens === undefined ? contextLength : Math.min(contextLength, tokens - 1);
    return { message, maximum: most, tokens: tokens ?? Math.max(estimated, most + 1) };
  }
  const [excess] = numbersIn(EXCESS, message);
  const counted = [tokens, excess && maximum + excess].find((count) => count !== undefined && count > maximum);
  return { message, maximum, tokens: counted ?? Math.max(estimated, maximum + 1) };
}

function tokensIn(message: string): number | undefined {
  const [prompt, answer] = numbersIn(BOTH_LENGTHS, message);
  return prompt === undefined || answer === undefined ? numberIn(message, PROMPTS) : prompt + answer;
}

function numberIn(message: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const [number] = numbersIn(pattern, message);
    if (number !== undefined) return number;
  }
  return undefined;
}

function numbersIn(pattern: RegExp, message: string): number[] {
  const [, ...numbers] = pattern.exec(message) ?? [];
  return numbers.map((digits) => Number(digits.replaceAll(',', '')));
}

/** `#` is a number. */
function withNumber(words: string): RegExp {
  return new RegExp(words.replaceAll('#', NUMBER), 'i');
}
