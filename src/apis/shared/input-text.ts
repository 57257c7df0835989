/** One token of average length. */
const ONE_TOKEN = ' the';

/** A text, or one of about as many tokens as a list of token ids, for limits and prices. */
export function inputText(input: string | readonly number[]): string {
  return typeof input === 'string' ? input : ONE_TOKEN.repeat(input.length);
}
