import { Injectable } from '@nestjs/common';

type Tokenizer = typeof import('gpt-tokenizer/encoding/o200k_base');

/** Beyond this a text is estimated by its length: counting it would hold up every other call. */
const MAX_COUNTED_LENGTH = 100_000;
const CHARACTERS_PER_TOKEN = 4;

/** Counts tokens where an upstream does not. The tokenizer is loaded when it is first needed: it takes memory. */
@Injectable()
export class TokenCounter {
  private tokenizer: Promise<Tokenizer> | undefined;

  async count(text: string): Promise<number> {
    if (text.length > MAX_COUNTED_LENGTH) return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
    return text === '' ? 0 : (await this.load()).countTokens(text);
  }

  /** The text in pieces of one token each; a piece that would break a character is joined to the next. */
  async split(text: string): Promise<string[]> {
    const { encode, decodeGenerator } = await this.load();
    return [...decodeGenerator(encode(text))].filter((piece) => piece !== '');
  }

  private load(): Promise<Tokenizer> {
    this.tokenizer ??= import('gpt-tokenizer/encoding/o200k_base');
    return this.tokenizer;
  }
}
