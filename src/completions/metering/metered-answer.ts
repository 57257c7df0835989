import { Subscriber } from 'rxjs';
import { GatewayError } from '../../common/gateway.error.js';
import { internalError } from '../../common/gateway.errors.js';
import type { ClosedCall } from '../../ledger/rows/call-record.types.js';
import type { Model } from '../../models/model.types.js';
import type { Answer, ChatCompletionChunk, CompletionUsage } from '../../upstreams/contract/chat.types.js';
import { upstreamIncomplete } from '../../upstreams/contract/upstream.error.js';
import type { ActiveCall } from '../call/active-calls.service.js';
import type { CompletionCall } from '../call/completion.call.js';
import type { SentAttempt } from '../routing/routed-answer.js';
import type { AnswerRecord } from './answer.record.js';
import type { CallError, CallRow } from './call-row.js';

export interface MeteredEvents {
  /** Called once, after the call's row was closed or could not be opened. */
  ended(answer: MeteredAnswer): void;
  /** Whether to read the answer to its end although its caller has disconnected. The number is limited per process. */
  mayFinish(answer: MeteredAnswer): boolean;
  /** An internal error; the client gets a generic one. */
  fault(fault: unknown, call: CompletionCall): void;
}

const CLIENT_CLOSED: CallError = { code: 'client_closed', status: null };

/** Forwards an answer to the client. Starts after the call's row has been opened, and ends after it has been closed. */
export class MeteredAnswer extends Subscriber<Answer> implements ActiveCall {
  slot = -1;
  private phase: 'opening' | 'answering' | 'closed' = 'opening';
  private cutOffBy: GatewayError | undefined;
  private abandoned: SentAttempt | null = null;
  /** The last event of a native stream, held back until the row is closed. */
  private last: Answer | null = null;

  constructor(
    private readonly client: Subscriber<Answer>,
    private readonly record: AnswerRecord,
    private readonly row: CallRow,
    private readonly on: MeteredEvents,
  ) {
    super();
  }

  get id(): string {
    return this.row.call.id;
  }

  async begin(): Promise<void> {
    try {
      await this.row.open();
    } catch (error) {
      this.on.ended(this);
      this.client.error(error);
      return;
    }
    this.record.isAccepted = true;
    if (this.phase === 'closed') this.abort(null);
    else if (this.cutOffBy) this.fail(this.cutOffBy);
    else this.follow();
  }

  cutOff(error: GatewayError): void {
    this.cutOffBy = error;
    if (this.phase !== 'answering') return;
    const sent = this.abandoned ?? this.row.routed.sent;
    if (sent === null) {
      this.fail(error);
      return;
    }
    this.unsubscribe();
    const clientError = withHeaders(error, this.record.allowance?.headers);
    const passOn = () => this.client.error(clientError);
    this.close('aborted', toCallError(clientError), passOn, passOn, sent);
  }

  abandon(): void {
    if (this.phase === 'answering' && this.abandoned === null) this.onDisconnect();
    else if (this.phase !== 'answering') this.unsubscribe();
    if (this.abandoned === null) this.phase = 'closed';
  }

  /** If the provider bills the whole answer anyway, the rest of it is read for its usage. */
  private onDisconnect(): void {
    const { routed } = this.row;
    const { sent } = routed;
    if (sent?.whenCallerLeaves === 'finish' && this.on.mayFinish(this)) {
      this.abandoned = sent;
      routed.stopTrying();
      routed.flow?.resume();
      return;
    }
    this.unsubscribe();
    this.abort(sent);
  }

  private follow(): void {
    this.phase = 'answering';
    try {
      this.row.routed.answer.subscribe(this);
    } catch (error) {
      this.fail(error);
    }
  }

  protected override _next(value: Answer): void {
    try {
      this.record.see(value);
      if (this.abandoned !== null || !isPart(value)) return;
      if (isLast(value)) {
        this.last = value;
        return;
      }
    } catch (error) {
      this.fail(error);
      return;
    }
    this.client.next(value);
  }

  protected override _error(error: unknown): void {
    this.fail(error);
  }

  private fail(error: unknown): void {
    if (this.phase === 'closed') return;
    this.unsubscribe();
    if (this.abandoned !== null) {
      this.abort(asStopped(this.abandoned));
      return;
    }
    const clientError = withHeaders(this.toClientError(error), this.record.allowance?.headers);
    const passOn = () => this.client.error(clientError);
    this.close('failed', toCallError(clientError), passOn, passOn, this.row.routed.overrun);
  }

  protected override _complete(): void {
    if (this.abandoned !== null) this.abort(asStopped(this.abandoned));
    else if (this.record.isComplete) this.settle();
    else this.fail(upstreamIncomplete());
    this.unsubscribe();
  }

  private settle(): void {
    const sendError = (error: unknown) => this.client.error(error);
    const passOn = (usage: CompletionUsage) => {
      try {
        if (this.client.closed) this.row.keepUndelivered();
        else this.end(usage);
      } catch (error) {
        sendError(error);
      }
    };
    this.close('settled', null, passOn, sendError);
  }

  private end(usage: CompletionUsage): void {
    const { completion } = this.record;
    const { call, routed } = this.row;
    if (completion) {
      completion.usage = usage;
      this.client.next(completion);
    } else if (this.last !== null) {
      this.client.next(this.last);
    } else if (call.request.stream_options?.include_usage) {
      this.client.next(toUsageChunk(call, routed.served.model, usage));
    }
    this.client.complete();
  }

  private abort(sent: SentAttempt | null): void {
    this.close('aborted', CLIENT_CLOSED, noop, noop, sent);
  }

  /** Closes the row, then calls `onClosed` or `onFailed`. `unfinished`: the attempt at the client's disconnect. */
  private close(
    status: ClosedCall['status'],
    callError: CallError | null,
    onClosed: (usage: CompletionUsage) => void,
    onFailed: (error: unknown) => void,
    unfinished: SentAttempt | null = null,
  ): void {
    this.phase = 'closed';
    this.row.close(status, callError, unfinished).then(
      (usage) => {
        this.on.ended(this);
        onClosed(usage);
      },
      (error) => {
        this.on.ended(this);
        onFailed(error);
      },
    );
  }

  private toClientError(error: unknown): GatewayError {
    if (error instanceof GatewayError) return error;
    this.on.fault(error, this.row.call);
    return internalError();
  }
}

/** Errors carry the caller's limit headers, too. */
function withHeaders(error: GatewayError, headers: Readonly<Record<string, string>> | undefined): GatewayError {
  if (headers === undefined) return error;
  return new GatewayError(error.status, error.body, { ...error.headers, ...headers }, { cause: error.cause });
}

function toCallError({ status, body }: GatewayError): CallError {
  return { status, code: body.code };
}

/** For an upstream that has stopped sending: only the part that arrived is charged. */
function asStopped(sent: SentAttempt): SentAttempt {
  return { ...sent, whenCallerLeaves: 'stop' };
}

function noop(): void {}

/** A chunk with content, or a native event: neither a whole completion nor the usage chunk. */
function isPart(answer: Answer): boolean {
  return (
    answer.object === 'chat.completion.chunk' &&
    (answer.choices.length > 0 || !answer.usage || answer.nativeEvents !== undefined)
  );
}

function isLast(answer: Answer): boolean {
  return answer.object === 'chat.completion.chunk' && answer.nativeEvents?.isLast === true;
}

function toUsageChunk(call: CompletionCall, model: Model, usage: CompletionUsage): ChatCompletionChunk {
  const created = Math.floor(call.startedAt.getTime() / 1000);
  return { id: call.id, object: 'chat.completion.chunk', created, model: call.nameOf(model), choices: [], usage };
}
