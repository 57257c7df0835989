/** What one choice of an answer said. */
export interface LoggedChoice {
  readonly index: number;
  readonly reasoning: string;
  readonly content: string;
  readonly refusal: string;
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[];
  /** Null: the answer ended before its end. */
  readonly finishReason: string | null;
}

/** The content of a call, in the form of Chat Completions, whichever API it came by. */
export interface CallContent {
  /** Images, sound and files are replaced by a note of their size. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly answer: readonly LoggedChoice[];
  /** Something is missing, as it was larger than `contentLog.maxSize`. */
  readonly isCut: boolean;
}

export interface LoggedCall {
  /** `chatcmpl-…` */
  readonly id: string;
  readonly at: Date;
  readonly keyId: string;
  readonly userId: string;
}
