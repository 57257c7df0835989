/** The usage that an upstream reports. */
export type Report = 'true' | 'each' | 'none' | 'over' | 'huge' | 'negative' | 'zero';

/** The script of an answer, which a request contains for the billing upstream. */
/** What answers consist of besides text. */
export type OutputKind = 'text' | 'custom' | 'sound' | 'patch' | 'server_tool' | 'unknown';

/** How an answer becomes unusable: larger than the gateway passes on, too late, or as a failure with usage. */
export type Unusable = 'large' | 'late head' | 'idle' | 'failure' | 'bad part';

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
  readonly kind: OutputKind;
  readonly unusable: Unusable | null;
  /** Searches that the provider makes. */
  readonly searches: number;
  /** Of each of its PDFs; null: as their text shows. */
  readonly pages: number | null;
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
  /** The share of the prompt that is written to the upstream's cache, without a mark. */
  readonly written: number;
  /** The service tier that serves it; null: the requested one. */
  readonly servedTier: string | null;
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
