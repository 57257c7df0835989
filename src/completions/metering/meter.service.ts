import { Injectable, Logger } from '@nestjs/common';
import { Observable } from 'rxjs';
import type { Answer } from '../../upstreams/contract/chat.types.js';
import { ActiveCallsService } from '../call/active-calls.service.js';
import type { CompletionCall } from '../call/completion.call.js';
import type { RoutedAnswer } from '../routing/routed-answer.js';
import { AnswerRecord } from './answer.record.js';
import { CallRow } from './call-row.js';
import { MeteredAnswer, type MeteredEvents } from './metered-answer.js';
import { RowParts } from './row-parts.js';

/** The maximum number of abandoned answers that a process reads to their end at the same time. */
const MAX_FINISHING = 256;

/**
 * Opens the call's row before the upstream is called, and closes it before the end of the answer is sent, however it
 * ends. A whole completion and the usage chunk are held back until then. The usage chunk is only forwarded if the
 * caller requested it.
 */
@Injectable()
export class MeterService implements MeteredEvents {
  private readonly logger = new Logger('Meter');
  private readonly finishing = new Set<MeteredAnswer>();

  constructor(
    private readonly parts: RowParts,
    private readonly active: ActiveCallsService,
  ) {}

  recordOf(call: CompletionCall): AnswerRecord {
    return new AnswerRecord(call, this.parts.metrics);
  }

  /** Calls the upstream once the row is open, unless the call has ended by then. Errors are `GatewayError`s. */
  meter(call: CompletionCall, routed: RoutedAnswer, record: AnswerRecord): Observable<Answer> {
    record.attempts = routed.attempts;
    return new Observable((client) => {
      const row = new CallRow(this.parts, call, routed, record);
      const metered = new MeteredAnswer(client, record, row, this);
      this.active.enter(metered);
      void metered.begin();
      return () => metered.abandon();
    });
  }

  ended(answer: MeteredAnswer): void {
    this.active.leave(answer);
    this.finishing.delete(answer);
  }

  mayFinish(answer: MeteredAnswer): boolean {
    if (this.finishing.size >= MAX_FINISHING) return false;
    this.finishing.add(answer);
    return true;
  }

  fault(fault: unknown, { requestId }: CompletionCall): void {
    this.logger.error(toError(fault), { requestId });
  }
}

/** Anything can be thrown, even values that cannot be converted to text. */
function toError(fault: unknown): Error {
  return fault instanceof Error ? fault : new Error('a value that is not an Error was thrown');
}
