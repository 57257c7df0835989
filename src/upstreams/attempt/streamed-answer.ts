import { finalize, type Observable, Subscriber, tap } from 'rxjs';
import { GatewayError } from '../../common/gateway.error.js';
import type { AttemptTrace, TracedAttemptEnd } from '../../telemetry/trace.types.js';
import { withRequestId } from '../client/upstream.client.js';
import type {
  Answer,
  ChatChoice,
  ChatChunkChoice,
  ChatCompletion,
  ChatCompletionChunk,
  ChatDelta,
} from '../contract/chat.types.js';
import { UpstreamError, upstreamIncomplete } from '../contract/upstream.error.js';
import type { UpstreamResponse } from '../contract/upstream.types.js';

/**
 * Forwards the chunks of a stream. The first chunk stops the first-event clock; a stream without chunks is incomplete.
 */
export class StreamedAnswer extends Subscriber<Answer> {
  private isSeen = false;

  constructor(
    private readonly answer: Subscriber<Answer>,
    private readonly response: UpstreamResponse,
  ) {
    super(answer);
  }

  protected override _next(chunk: Answer): void {
    if (!this.isSeen) this.response.eventSeen();
    this.isSeen = true;
    this.answer.next(chunk);
  }

  protected override _error(error: unknown): void {
    this.answer.error(withRequestId(error, this.response.headers));
  }

  protected override _complete(): void {
    if (this.isSeen) this.answer.complete();
    else this.answer.error(upstreamIncomplete());
  }
}

/** Splits a completion into stream chunks: two for each choice, then the usage. */
export function completionToChunks(completion: ChatCompletion): ChatCompletionChunk[] {
  const { id, created, model, choices, usage } = completion;
  const base = { id, object: 'chat.completion.chunk', created, model } as const;
  return [
    ...choices.flatMap((choice) => [
      {
        ...base,
        choices: [{ index: choice.index, delta: toDelta(choice), logprobs: choice.logprobs, finish_reason: null }],
      },
      { ...base, choices: [endOf(choice)] },
    ]),
    ...(usage ? [{ ...base, choices: [], usage }] : []),
  ];
}

function endOf({ index, finish_reason, stop_reason }: ChatChoice): ChatChunkChoice {
  return { index, delta: {}, finish_reason, ...(stop_reason !== undefined && { stop_reason }) };
}

function toDelta({ message }: ChatChoice): ChatDelta {
  const { tool_calls, annotations, ...rest } = message;
  const calls = tool_calls?.map((call, index) => ({ index, ...call })) as ChatDelta['tool_calls'];
  return { ...rest, ...(calls && { tool_calls: calls }), ...(annotations !== undefined && { annotations }) };
}

/** Ends the attempt's span when the answer ends. */
export function tracedAnswer(answer: Observable<Answer>, trace: AttemptTrace): Observable<Answer> {
  let tokens: TracedAttemptEnd['tokens'] = null;
  let end = { outcome: 'aborted', httpStatus: null as number | null };
  return answer.pipe(
    tap({
      next: ({ usage }) => {
        if (usage) tokens = { input: usage.prompt_tokens, output: usage.completion_tokens };
      },
      error: (error) => {
        end = failed(error);
      },
      complete: () => {
        end = { outcome: 'ok', httpStatus: 200 };
      },
    }),
    finalize(() => trace.end({ ...end, tokens })),
  );
}

function failed(error: unknown): { outcome: string; httpStatus: number | null } {
  const outcome = (error instanceof GatewayError && error.body.code) || 'internal_error';
  return { outcome, httpStatus: error instanceof UpstreamError ? error.failure.status || null : null };
}
