import { finalize, type Observable, tap } from 'rxjs';
import { GatewayError } from '../../common/gateway.error.js';
import type { AttemptTrace, TracedAttemptEnd } from '../../telemetry/traces/trace.types.js';
import type { Answer } from '../contract/chat.types.js';
import { UpstreamError } from '../contract/upstream.error.js';

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
