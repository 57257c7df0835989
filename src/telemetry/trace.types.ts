/** A call for tracing, without its content. */
export interface TracedCall {
  readonly id: string;
  readonly requestId: string;
  /** `chat.completions`, `embeddings` … */
  readonly api: string;
  readonly model: { readonly id: string };
  readonly request: { readonly stream?: boolean | null };
  readonly traceparent: string | undefined;
}

export interface TracedEnd {
  readonly status: string;
  readonly errorCode: string | null;
  readonly finishReason: string | null;
  readonly tokens: { readonly input: number; readonly output: number };
  /** The public id of the model that answered, if any. */
  readonly servedModel: string | null;
  /** The last one that was called. */
  readonly upstream: string | null;
  readonly firstTokenMs: number | null;
  readonly costNanodollars: bigint;
  /** The status sent to the client; null: the client had disconnected. */
  readonly httpStatus: number | null;
}

export interface TracedRefusal {
  readonly requestId: string;
  readonly api: string;
  /** From the catalog; null if the model is unknown. */
  readonly model: string | null;
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
  /** `ok`, `aborted`, or an error code. */
  readonly outcome: string;
  /** The upstream's status, if any. */
  readonly httpStatus: number | null;
  readonly tokens: { readonly input: number; readonly output: number } | null;
}

export interface CallTrace {
  attempt(attempt: TracedAttempt): AttemptTrace;
  end(end: TracedEnd): void;
}

export interface AttemptTrace {
  /** Sent to the upstream as the parent of its spans. */
  readonly traceparent: string | undefined;
  end(end: TracedAttemptEnd): void;
}

export interface CallTracer {
  begin(call: TracedCall): CallTrace;
  refused(call: TracedRefusal): void;
  /** Sends the remaining spans, with a time limit. */
  stop(): Promise<void>;
}
