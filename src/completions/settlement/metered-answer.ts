import { Subscriber } from 'rxjs';
import { GatewayError, internalError } from '../../common/gateway.error.js';
import type { ClosedCall } from '../../ledger/call-record.types.js';
import { UNLIMITED } from '../../limits/limits.service.js';
import type { Model } from '../../models/model.types.js';
import type {
  Answer,
  ChatCompletion,
  ChatCompletionChunk,
  CompletionUsage,
} from '../../upstreams/contract/chat.types.js';
import { upstreamIncomplete } from '../../upstreams/contract/upstream.error.js';
import type { CompletionCall } from '../completion.call.js';
import type { SentAttempt } from '../routing/routed-answer.js';
import type { AnswerRecord } from './answer.record.js';
import type { CallError, CallRow } from './call-row.js';

/** How long the usage of an answer is awaited whose caller left after its last word. */
const USAGE_WAIT_MS = 5000;

const CLIENT_CLOSED: CallError = { code: 'client_closed', status: null };

/** What all answers of a process share. */
export interface MeteringRows {
  /** Called once, after the row was closed. */
  ended(answer: MeteredAnswer, record: AnswerRecord): void;
  /** Whether to read the answer to its end although its caller has disconnected. */
  mayFinish(answer: MeteredAnswer): boolean;
  logFault(fault: unknown, call: CompletionCall): void;
}

/** Forwards an answer to the client, and ends after the call's row has been closed. */
export class MeteredAnswer extends Subscriber<Answer> {
  private isClosed = false;
  private abandoned: SentAttempt | null = null;
  private usageWait: NodeJS.Timeout | undefined;
  /** The last event of a native stream, held back until the row is closed. */
  private last: Answer | null = null;

  constructor(
    private readonly client: Subscriber<Answer>,
    private readonly record: AnswerRecord,
    private readonly row: CallRow,
    private readonly rows: MeteringRows,
  ) {
    super();
  }

  /** Calls the upstream, unless the call has ended while its row was opened. */
  begin(left: AbortSignal): void {
    if (left.aborted) this.abort(null);
    else if (this.record.cutOffBy) this.fail(this.record.cutOffBy);
    else this.follow();
  }

  cutOff(error: GatewayError): void {
    if (this.isClosed) return;
    const sent = this.abandoned ?? this.row.routed.sent;
    if (sent === null) {
      this.fail(error);
      return;
    }
    this.unsubscribe();
    const clientError = this.withLimits(error);
    const passOn = () => this.client.error(clientError);
    const unfinished = this.record.isComplete ? asStopped(sent) : sent;
    this.close('aborted', toCallError(clientError), passOn, passOn, unfinished);
  }

  abandon(): void {
    if (this.isClosed) this.unsubscribe();
    else if (this.abandoned === null) this.onDisconnect();
  }

  /**
   * The rest of the answer is read for its usage if the provider bills the whole of it anyway or nothing tells how often
   * it has called its tools, and for a few seconds if only the usage is missing.
   */
  private onDisconnect(): void {
    const { routed } = this.row;
    const { sent } = routed;
    const isBilledWhole = sent?.whenCallerLeaves === 'finish';
    const finishes = isBilledWhole || (sent !== null && this.row.hidesTools(sent) && !this.record.isComplete);
    if (sent !== null && (finishes || this.record.isComplete) && this.rows.mayFinish(this)) {
      this.abandoned = sent;
      if (!finishes) this.usageWait = setTimeout(() => this.stopWaiting(sent), USAGE_WAIT_MS);
      routed.stopTrying();
      routed.flow?.resume();
      return;
    }
    this.unsubscribe();
    this.abort(sent);
  }

  private stopWaiting(sent: SentAttempt): void {
    this.unsubscribe();
    this.abort(sent);
  }

  private follow(): void {
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
    if (this.isClosed) return;
    this.unsubscribe();
    if (this.abandoned !== null) {
      this.abort(this.isOwed(this.abandoned, error) ? asStopped(this.abandoned) : null);
      return;
    }
    const clientError = this.withLimits(this.toClientError(error));
    const passOn = () => this.client.error(clientError);
    this.close('failed', toCallError(clientError), passOn, passOn);
  }

  /** An upstream that failed before its answer costs nobody, unless it may have been writing all the time. */
  private isOwed({ sentMs }: SentAttempt, error: unknown): boolean {
    const isLate = error instanceof GatewayError && error.body.code === 'upstream_timeout';
    const isUnusable = this.row.routed.unusable.at(-1)?.sentMs === sentMs;
    return isLate || isUnusable || this.record.firstTokenMs !== null;
  }

  protected override _complete(): void {
    if (this.abandoned !== null) this.abort(asStopped(this.abandoned));
    else if (this.record.isComplete) this.settle();
    else this.fail(upstreamIncomplete());
    this.unsubscribe();
  }

  /** Whole answers are checked first. */
  private settle(): void {
    const { completion, checkWhole } = this.record;
    if (completion === null || checkWhole === null) {
      this.closeSettled();
      return;
    }
    const passed = (checked: ChatCompletion) => {
      if (this.isClosed) return;
      this.record.completion = checked;
      if (this.abandoned === null) this.closeSettled();
      else this.abort(asStopped(this.abandoned));
    };
    const failed = (error: unknown) => {
      if (this.isClosed) return;
      if (this.abandoned === null) this.cutOff(this.toClientError(error));
      else this.abort(asStopped(this.abandoned));
    };
    try {
      const checked = checkWhole(completion);
      if (checked instanceof Promise) checked.then(passed, failed);
      else passed(checked);
    } catch (error) {
      failed(error);
    }
  }

  private closeSettled(): void {
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
      // The record lives until the client has read the answer.
      this.record.completion = null;
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
    this.isClosed = true;
    clearTimeout(this.usageWait);
    this.row.close(status, callError, unfinished).then(
      (usage) => {
        this.rows.ended(this, this.record);
        onClosed(usage);
      },
      (error) => {
        this.rows.ended(this, this.record);
        onFailed(error);
      },
    );
  }

  /** Errors carry the caller's limit headers, too. */
  private withLimits(error: GatewayError): GatewayError {
    const { allowance } = this.row;
    return allowance === UNLIMITED ? error : error.with({}, allowance.headers);
  }

  private toClientError(error: unknown): GatewayError {
    if (error instanceof GatewayError) return error;
    this.rows.logFault(error, this.row.call);
    return internalError();
  }
}

export function toCallError({ status, body }: GatewayError): CallError {
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
