/** A thread's program. It imports nothing of ours but types: tests run it from its source, past their own loader. */
import { parentPort } from 'node:worker_threads';
import { countTokens, decodeGenerator, encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { TokenizerAnswer, TokenizerQuestion } from './tokenizer.types.js';

/** The tokenizer's time grows with the square of a word, and a text may be one word: it is counted in pieces. */
const PIECE_LENGTH = 1000;

/** What looks like a control token is text like any other. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

function count(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at += PIECE_LENGTH)
    tokens += countTokens(text.slice(at, at + PIECE_LENGTH), AS_TEXT);
  return tokens;
}

function pieces(text: string): string[] {
  return [...decodeGenerator(encode(text, AS_TEXT))].filter((piece) => piece !== '');
}

parentPort?.on('message', ({ id, wanted, text }: TokenizerQuestion) => {
  const value = wanted === 'count' ? count(text) : pieces(text);
  parentPort?.postMessage({ id, value } satisfies TokenizerAnswer);
});
