/** One token of average length. */
const ONE_TOKEN = ' the';

/** For limits and prices: the text, or for a list of token ids a text with about as many tokens. */
export function inputText(input: string | readonly number[]): string {
  return typeof input === 'string' ? input : ONE_TOKEN.repeat(input.length);
}
