/** The content of one choice of an answer. */
export interface LoggedChoice {
  readonly index: number;
  readonly reasoning: string;
  readonly content: string;
  readonly refusal: string;
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[];
  /** Null: the answer was cut off. */
  readonly finishReason: string | null;
}

/** The content of a call, in the format of Chat Completions, whichever API the client used. */
export interface CallContent {
  /** Images, sound and files are replaced by a note of their size. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly answer: readonly LoggedChoice[];
  /** Content is missing because it was larger than `contentLog.maxSize`. */
  readonly isCut: boolean;
}

export interface LoggedCall {
  /** `chatcmpl-…` */
  readonly id: string;
  readonly at: Date;
  readonly keyId: string;
  readonly userId: string;
}
