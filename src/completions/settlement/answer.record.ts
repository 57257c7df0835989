import type { GatewayError } from '../../common/gateway.error.js';
import type { CallProgress } from '../../http/request-context.js';
import type { ClosedCall, TokenCounts } from '../../ledger/call-record.types.js';
import type { CallMetricsService } from '../../telemetry/call-metrics.service.js';
import type {
  Answer,
  CalledFunction,
  ChatCompletion,
  ChatDelta,
  ChatResponseMessage,
  CompletionUsage,
  FinishReason,
  NativeEvents,
} from '../../upstreams/contract/chat.types.js';
import { objectOf, type ReadonlyJsonObject } from '../../upstreams/contract/json.js';
import type { ActiveCall } from '../active-calls.service.js';
import type { CompletionCall } from '../completion.call.js';

/** In characters. More than the token counter reads. */
const MAX_STORED = 128 * 1024;
/** Longer pieces are stored in several. */
const LONGEST_PIECE = 4096;
/** The base64 characters of sound for which providers count about one token. */
const SOUND_CHARACTERS_PER_TOKEN = 200;
const UNCOMPRESSED_SOUND_CHARACTERS_PER_TOKEN = 2000;
const UNCOMPRESSED: ReadonlySet<unknown> = new Set(['pcm16', 'wav']);
const TOKENS_PER_IMAGE = 1300;
/** More short strings are joined, as each uses several times its length in memory. */
const MAX_LOOSE = 32;

/** What the gateway observed of an answer, for the ledger and the limits: all that changes between a row's opening and its end. */
export class AnswerRecord implements CallProgress, ActiveCall {
  slot = -1;
  /** The error that ends the call before its answer does. */
  cutOffBy: GatewayError | null = null;
  /** Set once the answer is followed. */
  answering: Pick<ActiveCall, 'cutOff'> | null = null;
  usage: CompletionUsage | null = null;
  /** Set for an answer that is not streamed. */
  completion: ChatCompletion | null = null;
  /** Checks a whole answer before its row is closed, so that the row says what the client gets; null: no guard does. */
  checkWhole: ((completion: ChatCompletion) => ChatCompletion | Promise<ChatCompletion>) | null = null;
  finishReason: FinishReason | null = null;
  /** ms after the call's start, rounded. */
  firstTokenMs: number | null = null;
  outcome: CallProgress['outcome'] = null;
  attempts: CallProgress['attempts'] = [];
  /** The token counts in the closed row. */
  tokens: TokenCounts | null = null;
  closed: ClosedCall | null = null;
  /** Blocks of the model's text: of a long one chosen at random, so that its length in tokens follows from them. */
  private blocks: string[] = [];
  /** The pieces of the latest block. */
  private open: string[] = [];
  private openLength = 0;
  private stored = 0;
  /** The share of new blocks that are stored. */
  private share = 1;
  /** Characters that the model wrote. */
  length = 0;
  /** Tokens of the sound that it made. */
  soundTokens = 0;
  /** Tokens of the pictures that it made. */
  imageTokens = 0;
  showsReasoning = false;
  /** Whether the client has a native answer, with the provider's own id. */
  isNative = false;
  /** Whether the client has the status and the headers of its stream. */
  isHeadSent = false;
  /** Choice index → whether it has a finish reason. */
  private readonly choices = new Map<number, boolean>();

  private lastPieceMs = 0;

  constructor(
    private readonly call: Pick<CompletionCall, 'id' | 'startedMs' | 'api' | 'request'>,
    private readonly metrics: CallMetricsService,
  ) {}

  get id(): string {
    return this.call.id;
  }

  /** The model's text in pieces, read only when the upstream reports no usage. */
  get texts(): readonly string[] {
    return [...this.blocks, ...this.open];
  }

  cutOff(error: GatewayError): void {
    this.cutOffBy = error;
    this.answering?.cutOff(error);
  }

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
    else if (answer.nativeEvents) this.seeUnread(answer.nativeEvents as NativeEvents);
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

  private seeText(message: ChatDelta | ChatResponseMessage): void {
    const { content, refusal, reasoning_content, tool_calls, function_call, audio, images } = message;
    if (content) this.keep(content);
    if (audio) this.seeSound(objectOf(audio));
    if (images) this.imageTokens += images.length * TOKENS_PER_IMAGE;
    if (reasoning_content) {
      this.showsReasoning = true;
      this.keep(reasoning_content);
    }
    if (refusal) this.keep(refusal);
    if (function_call) this.seeCalled(function_call);
    if (!tool_calls) return;
    for (const call of tool_calls) {
      if ('function' in call && call.function) this.seeCalled(call.function);
      if ('custom' in call) this.seeCalled(objectOf(call.custom));
    }
  }

  private seeSound({ transcript, data }: ReadonlyJsonObject): void {
    if (typeof transcript === 'string' && transcript) this.keep(transcript);
    if (typeof data === 'string') this.addSound(data.length);
  }

  private seeUnread({ unread }: NativeEvents): void {
    if (!unread) return;
    if (unread.text) this.keep(unread.text);
    this.addSound(unread.sound);
  }

  private addSound(characters: number): void {
    const isUncompressed = UNCOMPRESSED.has(objectOf(this.call.request.audio).format);
    this.soundTokens +=
      characters / (isUncompressed ? UNCOMPRESSED_SOUND_CHARACTERS_PER_TOKEN : SOUND_CHARACTERS_PER_TOKEN);
  }

  /** A function has arguments, a custom tool an input. */
  private seeCalled({ name, arguments: text, input }: CalledFunction): void {
    if (name) this.keep(name);
    if (text) this.keep(text);
    if (typeof input === 'string' && input) this.keep(input);
  }

  private keep(text: string): void {
    this.length += text.length;
    if (text.length <= LONGEST_PIECE) this.add(text);
    else for (let at = 0; at < text.length; at += LONGEST_PIECE) this.add(text.slice(at, at + LONGEST_PIECE));
  }

  private add(piece: string): void {
    this.open.push(piece);
    this.openLength += piece.length;
    if (this.open.length < MAX_LOOSE && this.openLength < LONGEST_PIECE) return;
    const block = this.open.length === 1 ? copyOf(piece) : this.open.join('');
    this.open = [];
    this.openLength = 0;
    if (this.share < 1 && Math.random() >= this.share) return;
    this.blocks.push(block);
    this.stored += block.length;
    if (this.stored > MAX_STORED) this.thinOut();
  }

  /** Of each two neighbors, one stays. */
  private thinOut(): void {
    const side = Math.random() < 0.5 ? 0 : 1;
    this.blocks = this.blocks.filter((_, at) => at % 2 === side);
    this.stored = this.blocks.reduce((sum, { length }) => sum + length, 0);
    this.share /= 2;
  }
}

/** A part of a long text keeps all of it in memory. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
