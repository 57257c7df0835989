import type { Observable, Subscriber, Subscription } from 'rxjs';
import { GatewayError } from '../../common/gateway.error.js';
import { internalError } from '../../common/gateway.errors.js';
import type { Answer, CompletionUsage } from '../../upstreams/contract/chat.types.js';
import { upstreamIncomplete } from '../../upstreams/contract/upstream.error.js';
import type { ClosedCall } from '../../usage/usage.types.js';
import type { AnswerRecord } from './answer.record.js';

/** A call's row in the ledger. */
export interface CallRow {
  open(): Promise<void>;
  /** Resolves to the usage that the row was closed with. */
  close(status: ClosedCall['status'], errorCode: string | null): Promise<CompletionUsage>;
}

export interface MeteredEvents {
  /** What the client is still to be given when the row is closed. */
  lastOf(usage: CompletionUsage): Answer | null;
  /** The row stands: the call is an accepted one, whatever becomes of it. */
  opened(): void;
  /** The row is closed, or was never opened. */
  closed(): void;
  /** An error that is not meant for the client. */
  fault(fault: unknown): void;
}

/** An answer on its way to the client, in step with its row: not asked for before that is open, nor ended before it is closed. */
export class MeteredAnswer {
  private phase: 'opening' | 'answering' | 'closed' = 'opening';
  private upstream: Subscription | undefined;
  private cutOffBy: GatewayError | undefined;

  constructor(
    private readonly client: Subscriber<Answer>,
    private readonly record: AnswerRecord,
    private readonly row: CallRow,
    private readonly on: MeteredEvents,
  ) {}

  async begin(answer: Observable<Answer>): Promise<void> {
    try {
      await this.row.open();
    } catch (error) {
      this.on.closed();
      this.client.error(error);
      return;
    }
    this.on.opened();
    if (this.phase === 'closed') this.abort();
    else if (this.cutOffBy) this.fail(this.cutOffBy);
    else this.follow(answer);
  }

  /** The gateway ends the call. */
  cutOff(error: GatewayError): void {
    this.cutOffBy = error;
    if (this.phase === 'answering') this.fail(error);
  }

  /** The client wants no more: it has everything, or it has left. */
  abandon(): void {
    this.upstream?.unsubscribe();
    if (this.phase === 'answering') this.abort();
    this.phase = 'closed';
  }

  private follow(answer: Observable<Answer>): void {
    this.phase = 'answering';
    try {
      this.upstream = answer.subscribe({
        next: (value) => this.pass(value),
        error: (error) => this.fail(error),
        complete: () => this.finish(),
      });
    } catch (error) {
      this.fail(error);
    }
  }

  private pass(value: Answer): void {
    try {
      this.record.see(value);
      if (!isPart(value)) return;
    } catch (error) {
      this.fail(error);
      return;
    }
    this.client.next(value);
  }

  private fail(error: unknown): void {
    if (this.phase === 'closed') return;
    this.upstream?.unsubscribe();
    const told = withHeaders(this.toTold(error), this.record.leave?.headers);
    const passOn = () => this.client.error(told);
    this.close('failed', told.body.code).then(passOn, passOn);
  }

  private finish(): void {
    if (!this.record.isComplete) {
      this.fail(upstreamIncomplete());
      return;
    }
    this.close('settled', null).then(
      (usage) => {
        const last = this.on.lastOf(usage);
        if (last) this.client.next(last);
        this.client.complete();
      },
      (error) => this.client.error(error),
    );
  }

  private abort(): void {
    this.close('aborted', 'client_closed').catch(() => undefined);
  }

  private close(status: ClosedCall['status'], errorCode: string | null): Promise<CompletionUsage> {
    this.phase = 'closed';
    return this.row.close(status, errorCode).finally(() => this.on.closed());
  }

  private toTold(error: unknown): GatewayError {
    if (error instanceof GatewayError) return error;
    this.on.fault(error);
    return internalError();
  }
}

/** The answer of a limited caller tells of his limits also where it is an error. */
function withHeaders(error: GatewayError, headers: Readonly<Record<string, string>> | undefined): GatewayError {
  if (headers === undefined) return error;
  return new GatewayError(error.status, error.body, { ...error.headers, ...headers }, { cause: error.cause });
}

/** A chunk with something of the answer in it: neither a whole completion nor the usage chunk. */
function isPart(answer: Answer): boolean {
  return answer.object === 'chat.completion.chunk' && (answer.choices.length > 0 || !answer.usage);
}
