/** What an upstream says it used. */
export type Report = 'true' | 'each' | 'none' | 'over' | 'huge' | 'negative' | 'zero';

/** What a request asks of the billing upstream, which is all that it knows of it. */
export interface Wish {
  readonly id: string;
  /** Tokens of the answer itself. */
  readonly output: number;
  /** Tokens of thought before it. */
  readonly thinking: number;
  readonly showsThoughts: boolean;
  /** It answers by calling a tool. */
  readonly callsTool: boolean;
  readonly report: Report;
  /** ms before its first token, on each target in turn. */
  readonly waits: readonly number[];
  /** How many of its attempts are answered with 503. */
  readonly busy: number;
  /** A model of the upstream that is busy for it, however often it is asked. */
  readonly busyModel: string | null;
  /** The share of the answer after which the connection breaks. */
  readonly breaksAt: number | null;
  /** The share of the prompt that comes out of the upstream's cache. */
  readonly cached: number;
  /** What a cache mark in the prompt does. */
  readonly mark: 'write' | 'read';
  /** The share of the answer at which whoever started the upstream is told. */
  readonly tellAt: number | null;
}

const MARK = /<<wish (\{.*?\})>>/;

/** The wish as text that stands in the prompt. */
export function toWishText(wish: Wish): string {
  return `<<wish ${JSON.stringify(wish)}>>`;
}

export function wishIn(texts: readonly string[]): Wish {
  for (const text of texts) {
    const found = MARK.exec(text)?.[1];
    if (found) return JSON.parse(found) as Wish;
  }
  throw new Error('a request came without a wish');
}
