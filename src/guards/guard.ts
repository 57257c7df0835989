/**
 * A guard: looks at texts and says what it found in them. This is the extension point for new kinds of guards; what is
 * done about a finding (block, mask, report), where a guard applies and how texts are read from an API's requests and
 * answers is not its concern.
 */
export interface Guard {
  /** As in gateway.yaml. */
  readonly name: string;
  readonly action: GuardAction;
  /** Whether it looks at requests, at answers, or at both. */
  readonly sides: ReadonlySet<GuardSide>;
  /** Whether placeholders of masked texts become the originals again in the answer. */
  readonly restores: boolean;
  /** Whether requests with images, sound or files that it cannot read are refused. */
  readonly refusesMedia: boolean;
  /** How texts of a stream are given to it. */
  readonly stream: GuardStream;
  /**
   * The findings in each text, in the texts' order. Throws or rejects if it cannot tell: the call is then refused.
   * `call` identifies the call for services that keep records.
   */
  check(texts: readonly string[], call: GuardedCall): Promise<readonly TextFindings[]> | readonly TextFindings[];
}

export type GuardAction = 'block' | 'mask' | 'report';
export type GuardSide = 'request' | 'answer';

/** In ascending order, without overlaps. */
export type TextFindings = readonly Finding[];

export interface Finding {
  /** In UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** As in placeholders and metrics: `payment_card`. */
  readonly name: string;
  /** For messages: `a payment card number`. */
  readonly kind: string;
  /** What replaces the text if it is masked; undefined: a placeholder that the answer may restore. */
  readonly replacement?: string;
  /** What a service decided for this text; undefined: the guard's own action. */
  readonly action?: GuardAction;
}

export type GuardStream =
  /** At once, as soon as no match can begin in a text's end. `openFrom`: see `Detector`. */
  | {
      readonly kind: 'immediate';
      find(text: string): TextFindings;
      openFrom(text: string, isQuiet: boolean): number;
    }
  /** In pieces of at most so many characters; Infinity: the whole text. */
  | { readonly kind: 'window'; readonly characters: number };

/** What a guard may know of the call. */
export interface GuardedCall {
  /** `chatcmpl-…` */
  readonly id: string;
  readonly api: string;
  readonly model: string;
  readonly userId: string;
  readonly project: string | null;
  readonly keyId: string;
  readonly side: GuardSide;
  /** The path of each text in the request or answer, for example `messages[0].content`; only for windows of text. */
  readonly paths: readonly string[];
  /** Aborted when the client has left. */
  readonly signal?: AbortSignal | undefined;
}
