/** The usage that an upstream reports. */
export type Report = 'true' | 'each' | 'none' | 'over' | 'huge' | 'negative' | 'zero';

/** The script of an answer, which a request contains for the billing upstream. */
export interface AnswerScript {
  readonly id: string;
  /** Tokens of the answer itself. */
  readonly output: number;
  /** Tokens of reasoning before it. */
  readonly thinking: number;
  readonly showsThoughts: boolean;
  /** It answers by calling a tool. */
  readonly callsTool: boolean;
  readonly report: Report;
  /** ms before its first token, on each target in turn. */
  readonly waits: readonly number[];
  /** How many of its attempts are answered with 503. */
  readonly busy: number;
  /** A model of the upstream that answers all attempts of this request with 503. */
  readonly busyModel: string | null;
  /** The share of the answer after which the connection breaks. */
  readonly breaksAt: number | null;
  /** The share of the prompt that is read from the upstream's cache. */
  readonly cached: number;
  /** The effect of a cache mark in the prompt. */
  readonly mark: 'write' | 'read';
  /** The share of the answer at which the upstream reports its progress to the test. */
  readonly progressAt: number | null;
}

const MARK = /<<script (\{.*?\})>>/;

/** The script as text for the prompt. */
export function toScriptText(script: AnswerScript): string {
  return `<<script ${JSON.stringify(script)}>>`;
}

export function scriptIn(texts: readonly string[]): AnswerScript {
  for (const text of texts) {
    const found = MARK.exec(text)?.[1];
    if (found) return JSON.parse(found) as AnswerScript;
  }
  throw new Error('a request has no script');
}
