/** A call, as its trace tells of it: never of its content. */
export interface TracedCall {
  readonly id: string;
  readonly requestId: string;
  readonly model: { readonly id: string };
  readonly request: { readonly stream?: boolean | null };
  /** Of the caller's trace. */
  readonly traceparent: string | undefined;
}

export interface TracedEnd {
  readonly status: string;
  readonly errorCode: string | null;
  readonly finishReason: string | null;
  readonly tokens: { readonly input: number; readonly output: number };
  /** The public id of the model that answered; null: none did. */
  readonly servedModel: string | null;
  /** The one that was asked last. */
  readonly upstream: string | null;
  readonly firstTokenMs: number | null;
  readonly costNanodollars: bigint;
  /** What the client got; null: it left before it got any. */
  readonly httpStatus: number | null;
}

/** A call that was not accepted. */
export interface TracedRefusal {
  readonly requestId: string;
  /** Of the catalog; null: it named none of those. */
  readonly model: string | null;
  /** Of the caller's trace. */
  readonly traceparent: string;
  readonly httpStatus: number;
  readonly errorCode: string;
  readonly ms: number;
}

export interface TracedAttempt {
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly baseUrl: string;
}

export interface TracedAttemptEnd {
  /** `ok`, `aborted`, or the code of the error. */
  readonly outcome: string;
  /** The upstream's; null where it gave none. */
  readonly httpStatus: number | null;
  readonly tokens: { readonly input: number; readonly output: number } | null;
}

/** The span of a call. */
export interface CallTrace {
  attempt(attempt: TracedAttempt): AttemptTrace;
  end(end: TracedEnd): void;
}

/** The span of an attempt within its call. */
export interface AttemptTrace {
  /** For the upstream: this attempt is what its spans belong to. */
  readonly traceparent: string | undefined;
  end(end: TracedAttemptEnd): void;
}

export interface CallTracer {
  begin(call: TracedCall): CallTrace;
  refused(call: TracedRefusal): void;
  /** Sends what is left, for a while. */
  stop(): Promise<void>;
}
