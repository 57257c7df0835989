import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { embeddingEntries } from '../attempt/embeddings.reader.js';
import type { ChatCompletion } from '../contract/chat.types.js';
import type { EmbeddingBody } from '../contract/native.body.js';
import type { TokenCounter } from '../tokens/token-counter.js';

/** Numbers generated in one turn of the event loop. */
const NUMBERS_A_TURN = 100_000;

/** A vector of length 1 for each input, always the same for the same input and number of dimensions. */
export async function simulatedEmbeddings(
  body: EmbeddingBody,
  modelDimensions: number,
  envelope: ChatCompletion,
  tokens: Pick<TokenCounter, 'count'>,
): Promise<ChatCompletion> {
  const dimensions = body.dimensions ?? modelDimensions;
  const entries: string[] = [];
  let made = 0;
  for (const [index, input] of body.inputs.entries()) {
    entries.push(embeddingEntries([unitVector(input, dimensions)], { ...body, offset: index }));
    made += dimensions;
    if (made < NUMBERS_A_TURN) continue;
    made = 0;
    await nextTurn();
  }
  const count = await countTokens(body, tokens);
  const usage = { prompt_tokens: count, completion_tokens: 0, total_tokens: count };
  return { ...envelope, nativeText: entries.join(','), usage };
}

async function countTokens({ inputs }: EmbeddingBody, tokens: Pick<TokenCounter, 'count'>): Promise<number> {
  let sum = 0;
  for (const input of inputs) sum += typeof input === 'string' ? await tokens.count(input) : input.length;
  return sum;
}

function unitVector(input: string | readonly number[], dimensions: number): number[] {
  const next = numbersFrom(typeof input === 'string' ? input : JSON.stringify(input));
  const vector = Array.from({ length: dimensions }, next);
  const length = Math.sqrt(vector.reduce((sum, number) => sum + number * number, 0)) || 1;
  return vector.map((number) => Math.fround(number / length));
}

/** A generator of numbers from -1 to 1 that only depend on the text (mulberry32). */
function numbersFrom(text: string): () => number {
  let state = createHash('sha256').update(text).digest().readUInt32LE();
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}
