import { Observable } from 'rxjs';
import { GatewayError } from '../../common/gateway.error.js';
import type { AttemptTrace, TracedAttemptEnd } from '../../telemetry/traces/trace.types.js';
import type { Answer } from '../contract/chat.types.js';
import { UpstreamError } from '../contract/upstream.error.js';

/** Ends the attempt's span when the answer ends. */
export function tracedAnswer(answer: Observable<Answer>, trace: AttemptTrace): Observable<Answer> {
  return new Observable((subscriber) => {
    let tokens: TracedAttemptEnd['tokens'] = null;
    let end = { outcome: 'aborted', httpStatus: null as number | null };
    const subscription = answer.subscribe({
      next: (part) => {
        if (part.usage) tokens = { input: part.usage.prompt_tokens, output: part.usage.completion_tokens };
        subscriber.next(part);
      },
      error: (error) => {
        end = failed(error);
        subscriber.error(error);
      },
      complete: () => {
        end = { outcome: 'ok', httpStatus: 200 };
        subscriber.complete();
      },
    });
    return () => {
      subscription.unsubscribe();
      trace.end({ ...end, tokens });
    };
  });
}

function failed(error: unknown): { outcome: string; httpStatus: number | null } {
  const outcome = (error instanceof GatewayError && error.body.code) || 'internal_error';
  return { outcome, httpStatus: error instanceof UpstreamError ? error.failure.status || null : null };
}
