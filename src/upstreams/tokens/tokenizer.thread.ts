/** A worker thread. It imports only types from the project, as tests run the source without a loader. */
import { parentPort } from 'node:worker_threads';
import { countTokens, decodeGenerator, encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { TokenizerAnswer, TokenizerQuestion } from './token-counter.js';

/** Text is counted in pieces, as the tokenizer needs quadratic time for a long word. */
const PIECE_LENGTH = 1000;

/** Treats control tokens in text as ordinary text. */
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

parentPort?.on('message', ({ id, required, text }: TokenizerQuestion) => {
  const value = required === 'count' ? count(text) : pieces(text);
  parentPort?.postMessage({ id, value } satisfies TokenizerAnswer);
});
