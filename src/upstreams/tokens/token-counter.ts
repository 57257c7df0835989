import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

type Tokenizer = typeof import('gpt-tokenizer/encoding/o200k_base');

/** Of a longer text only so much is counted, and the rest taken to be like it. */
const MAX_COUNTED_LENGTH = 100_000;
/** The tokenizer's time grows with the square of a word, and a text may be one word: it is counted in pieces. */
const PIECE_LENGTH = 1000;
/** Other calls have their turn after so many characters. */
const TURN_LENGTH = 10 * PIECE_LENGTH;

/** What looks like a control token is text like any other. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Counts tokens where an upstream does not. */
@Injectable()
export class TokenCounter {
  private tokenizer: Promise<Tokenizer> | undefined;

  /** Loads the tokenizer, which takes some 200 ms of the event loop: at start nobody waits for it. Else the first count does. */
  async prepare(): Promise<void> {
    await this.load();
  }

  /** Exact up to 1000 characters; beyond, an estimate. */
  async count(text: string): Promise<number> {
    if (text === '') return 0;
    const { countTokens } = await this.load();
    const length = Math.min(text.length, MAX_COUNTED_LENGTH);
    let tokens = 0;
    for (let at = 0; at < length; at += PIECE_LENGTH) {
      if (at > 0 && at % TURN_LENGTH === 0) await nextTurn();
      tokens += countTokens(text.slice(at, Math.min(at + PIECE_LENGTH, length)), AS_TEXT);
    }
    return Math.ceil((tokens * text.length) / length);
  }

  /** The text in pieces of one token each; a piece that would break a character is joined to the next. */
  async split(text: string): Promise<string[]> {
    const { encode, decodeGenerator } = await this.load();
    return [...decodeGenerator(encode(text, AS_TEXT))].filter((piece) => piece !== '');
  }

  private load(): Promise<Tokenizer> {
    this.tokenizer ??= import('gpt-tokenizer/encoding/o200k_base');
    return this.tokenizer;
  }
}
