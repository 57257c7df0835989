import { Subscriber } from 'rxjs';
import type { UpstreamResponse } from '../client/upstream.types.js';
import { withRequestId } from '../client/upstream-request-id.js';
import type { Answer } from '../contract/chat.types.js';
import { upstreamIncomplete } from '../contract/upstream.error.js';

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
