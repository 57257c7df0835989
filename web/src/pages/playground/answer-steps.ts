import { type ChatEvent, chatEvents, failureOf, ledgerUsage, withPieces } from './chat-call';
import type { AssistantTurn, ChatRequest, Exchange, ModelView, Stats } from './chat-settings';
import { costUsd } from './estimate';
import { playgroundState, updatePlayground } from './playground-store';

/** How often the received text is shown, so that the page keeps up with any speed. */
const SHOW_EVERY_MS = 60;

/** One answer from the first byte to the last. */
export class AnswerRun {
  private exchange: Exchange;
  private readonly body: string;
  private startedAt = performance.now();
  private shownAt = 0;
  private timer = 0;
  private completionId: string | undefined;

  constructor(
    private readonly request: ChatRequest,
    private readonly model: ModelView | undefined,
    private turn: AssistantTurn,
    /** The answer of the first model beside which this one is shown; null: it is the first. */
    private readonly besideId: string | null = null,
  ) {
    this.body = JSON.stringify(request);
    this.exchange = {
      requestHeaders: [
        ['authorization', 'Bearer $OPENAI_API_KEY'],
        ['content-type', 'application/json'],
      ],
      request,
      status: null,
      responseHeaders: [],
      responseBody: '',
    };
    const nothing = {
      requestId: null,
      firstTokenMs: null,
      totalMs: null,
      finishReason: null,
      usage: null,
      costUsd: null,
    };
    this.turn = { ...turn, stats: { model: request.model, ...nothing } };
  }

  async follow(signal: AbortSignal): Promise<void> {
    if (this.besideId === null) updatePlayground({ exchange: this.exchange });
    try {
      for await (const event of chatEvents(this.request, this.body, signal)) {
        this.take(event);
        this.showSoon();
      }
      this.end(this.turn.failure ? 'failed' : 'done');
    } catch (error) {
      if (!signal.aborted) this.turn = { ...this.turn, failure: failureOf(error) };
      this.end(signal.aborted ? 'stopped' : 'failed');
      if (signal.aborted) await this.takeLedgerUsage();
    }
  }

  private take(event: ChatEvent): void {
    switch (event.kind) {
      case 'sent':
        this.startedAt = performance.now();
        break;
      case 'head':
        this.exchange = { ...this.exchange, status: event.status, responseHeaders: event.headers };
        this.note({ requestId: event.requestId });
        break;
      case 'raw':
        this.exchange = { ...this.exchange, responseBody: this.exchange.responseBody + event.text };
        break;
      case 'delta':
        this.completionId ??= event.id;
        this.takeDelta(event.delta);
        break;
      case 'finish':
        this.note({ finishReason: event.reason });
        break;
      case 'usage':
        this.note({ usage: event.usage, costUsd: costUsd(this.model, event.usage) });
        break;
      case 'failed':
        this.turn = { ...this.turn, failure: event.failure };
    }
  }

  private takeDelta(delta: Extract<ChatEvent, { kind: 'delta' }>['delta']): void {
    const text = (delta.content ?? '') + (delta.refusal ?? '');
    const reasoning = delta.reasoning_content ?? '';
    if (this.turn.stats?.firstTokenMs === null && (text || reasoning || delta.tool_calls)) {
      this.note({ firstTokenMs: performance.now() - this.startedAt });
    }
    this.turn = {
      ...this.turn,
      text: this.turn.text + text,
      reasoning: this.turn.reasoning + reasoning,
      toolCalls: withPieces(this.turn.toolCalls, delta.tool_calls),
    };
  }

  /** The end of the stream, which has the usage, was not received. */
  private async takeLedgerUsage(): Promise<void> {
    if (this.completionId === undefined || this.turn.stats?.usage) return;
    const found = await ledgerUsage(this.completionId);
    if (!found) return;
    this.note(found);
    this.show();
  }

  private note(changes: Partial<Stats>): void {
    if (this.turn.stats) this.turn = { ...this.turn, stats: { ...this.turn.stats, ...changes } };
  }

  private end(state: AssistantTurn['state']): void {
    window.clearTimeout(this.timer);
    this.note({ totalMs: performance.now() - this.startedAt });
    this.turn = { ...this.turn, state };
    this.show();
    if (playgroundState().runningId === this.turn.id) updatePlayground({ runningId: null });
  }

  private showSoon(): void {
    if (this.timer !== 0) return;
    const wait = Math.max(0, SHOW_EVERY_MS - (performance.now() - this.shownAt));
    this.timer = window.setTimeout(() => this.show(), wait);
  }

  /** A turn that was deleted meanwhile stays deleted. */
  private show(): void {
    this.timer = 0;
    this.shownAt = performance.now();
    if (this.besideId !== null) {
      updatePlayground({ rivals: { ...playgroundState().rivals, [this.besideId]: this.turn } });
      return;
    }
    const turns = playgroundState().turns.map((turn) => (turn.id === this.turn.id ? this.turn : turn));
    const isLatest = playgroundState().runningId === this.turn.id;
    updatePlayground({ turns, ...(isLatest && { exchange: this.exchange }) });
  }
}
