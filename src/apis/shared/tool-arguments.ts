import { createHash } from 'node:crypto';
import { parseIfJson } from '../../json/exact-json.js';
import type { ChatMessage, FilePart, ImagePart, TextPart } from '../../upstreams/contract/chat.types.js';
import { isObject } from '../../upstreams/contract/json.js';

/**
 * The arguments of a call, as they arrive: tells when they are a complete JSON object, so that only white space can
 * follow. Looks at each character once, since arguments can have megabytes in small pieces.
 */
export class ArgumentsText {
  text = '';
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  /** Null: not known yet. */
  private isObject: boolean | null = null;

  get isWhole(): boolean {
    return this.isObject === true;
  }

  add(piece: string): void {
    const from = this.text.length;
    this.text += piece;
    for (let at = 0; at < piece.length && this.isObject !== false; at++) {
      const character = piece[at] ?? '';
      if (this.isInString) this.readInString(character);
      else if (!/\s/.test(character)) this.read(character, from + at);
    }
  }

  private readInString(character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (character === '\\') this.isEscaped = true;
    else if (character === '"') this.isInString = false;
  }

  private read(character: string, at: number): void {
    if (this.depth === 0) {
      // The object has ended, or the text does not begin with one.
      this.isObject = this.isObject === null && character === '{' ? null : false;
      this.depth = 1;
      return;
    }
    if (character === '"') this.isInString = true;
    else if (character === '{' || character === '[') this.depth++;
    else if (character === '}' || character === ']') this.depth--;
    if (this.depth === 0) this.isObject = isObject(parseIfJson(this.text.slice(0, at + 1)));
  }
}

export type ResultPart = TextPart | ImagePart | FilePart;

/** A tool's result in the inner form. Its files move to a user message before an adapter sees it. */
export function toolMessage(id: string, content: string | readonly ResultPart[], fields: object = {}): ChatMessage {
  return { role: 'tool', tool_call_id: id, content, ...fields } as ChatMessage;
}

/** Most APIs accept tool names of up to this many characters. */
export const LONGEST_NAME = 64;
const HASH_LENGTH = 8;

/** `name` cut to a valid length, with a hash of `whole` so that it stays unique. */
export function shortName(name: string, whole = name): string {
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, LONGEST_NAME - HASH_LENGTH - 1)}_${hash}`;
}

/** One token of average length. */
const ONE_TOKEN = ' the';

/** For limits and prices: the text, or for a list of token ids a text with about as many tokens. */
export function inputText(input: string | readonly number[]): string {
  return typeof input === 'string' ? input : ONE_TOKEN.repeat(input.length);
}
