import type { CallProgress } from '../../http/request-context.js';
import type { TokenCounts } from '../../ledger/rows/call-record.types.js';
import type { Allowance } from '../../limits/limits.service.js';
import type { CallMetricsService } from '../../telemetry/metrics/call-metrics.service.js';
import type {
  Answer,
  CalledFunction,
  ChatCompletion,
  ChatDelta,
  ChatResponseMessage,
  CompletionUsage,
  FinishReason,
} from '../../upstreams/contract/chat.types.js';
import type { CompletionCall } from '../call/completion.call.js';

/** In characters. More than the token counter reads. */
const MAX_KEPT = 128 * 1024;
/** More short strings are joined, as each uses several times its length in memory. */
const MAX_LOOSE = 32;

/** What the gateway observed of an answer, for the ledger and the limits. */
export class AnswerRecord implements CallProgress {
  /** Whether the row was opened. From then on the call counts as accepted, however it ends. */
  isAccepted = false;
  /** Null when the caller has no limits. */
  allowance: Allowance | null = null;
  usage: CompletionUsage | null = null;
  /** Set for an answer that is not streamed. */
  completion: ChatCompletion | null = null;
  finishReason: FinishReason | null = null;
  /** ms after the call's start, rounded. */
  firstTokenMs: number | null = null;
  outcome: CallProgress['outcome'] = null;
  attempts: CallProgress['attempts'] = [];
  /** The token counts in the closed row. */
  tokens: TokenCounts | null = null;
  /** The start of the model's text, in pieces; read only when the upstream reports no usage. */
  readonly texts: string[] = [];
  private loosePieces = 0;
  /** Characters that the model wrote. */
  length = 0;
  showsReasoning = false;
  /** Whether a native target answered; only those run hosted tools of the request. */
  isNative = false;
  /** Choice index → whether it has a finish reason. */
  private readonly choices = new Map<number, boolean>();

  private lastPieceMs = 0;

  constructor(
    private readonly call: Pick<CompletionCall, 'startedMs' | 'api'>,
    private readonly metrics: CallMetricsService,
  ) {}

  /** Every choice has its finish reason, and there is at least one. Embeddings have no choices. */
  get isComplete(): boolean {
    if (this.call.api === 'embeddings') return this.completion !== null;
    for (const isEnded of this.choices.values()) if (!isEnded) return false;
    return this.choices.size > 0;
  }

  see(answer: Answer): void {
    const now = performance.now();
    if (this.firstTokenMs === null) {
      this.firstTokenMs = Math.round(now - this.call.startedMs);
      this.isNative = 'nativeText' in answer || 'nativeEvents' in answer;
    } else {
      this.metrics.observePiece(now - this.lastPieceMs);
    }
    this.lastPieceMs = now;
    if (answer.usage) this.usage = answer.usage;
    if (answer.object === 'chat.completion') this.completion = answer;
    for (const choice of answer.choices) {
      const text = 'delta' in choice ? choice.delta : choice.message;
      this.seeChoice(choice.index, choice.finish_reason);
      this.seeText(text);
    }
  }

  private seeChoice(index: number, finishReason: FinishReason | null): void {
    if (finishReason !== null) {
      this.choices.set(index, true);
      this.finishReason ??= finishReason;
    } else if (!this.choices.has(index)) {
      this.choices.set(index, false);
    }
  }

  private seeText(said: ChatDelta | ChatResponseMessage): void {
    const { content, refusal, reasoning_content, tool_calls, function_call } = said;
    if (content) this.keep(content);
    if (reasoning_content) {
      this.showsReasoning = true;
      this.keep(reasoning_content);
    }
    if (refusal) this.keep(refusal);
    if (function_call) this.seeCalled(function_call);
    if (!tool_calls) return;
    for (const call of tool_calls) if ('function' in call && call.function) this.seeCalled(call.function);
  }

  private seeCalled(called: CalledFunction): void {
    if (called.name) this.keep(called.name);
    if (called.arguments) this.keep(called.arguments);
  }

  private keep(text: string): void {
    if (this.length < MAX_KEPT) {
      this.texts.push(text);
      if (++this.loosePieces === MAX_LOOSE) this.joinPieces();
    }
    this.length += text.length;
  }

  private joinPieces(): void {
    this.texts.push(this.texts.splice(-MAX_LOOSE).join(''));
    this.loosePieces = 0;
  }
}
