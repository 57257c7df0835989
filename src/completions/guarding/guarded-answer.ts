import { Observable, Subscriber } from 'rxjs';
import { GatewayError, internalError } from '../../common/gateway.error.js';
import type { CallGuards } from '../../guards/call-guards.js';
import { nowOrInTurns, type Work } from '../../guards/turns.js';
import type { Answer, ChatCompletion, ChatCompletionChunk } from '../../upstreams/contract/chat.types.js';
import type { ReplyHead } from '../routing/routed-answer.js';
import type { OpenedCall } from '../settlement/call-row.js';
import { AnswerTexts } from './answer-texts.js';
import { GuardedChat, type GuardedForm } from './chat-answer.js';
import { GuardedNative } from './native-answer.js';
import { messagesForm, responsesForm } from './native-forms.js';

/** After this silence, texts in which no match has clearly begun are sent. */
const QUIET_MS = 200;
/** The upstream is paused while more chunks wait for guards. */
const MAX_WAITING = 64;

/** The answer as its guards let it pass; the same if none looks at it. */
export function guardedAnswer(
  answer: Observable<Answer>,
  opened: OpenedCall,
  head: ReplyHead,
  guards: CallGuards,
): Observable<Answer> {
  const isChecked = guards.guards.some(({ sides }) => sides.has('answer')) || guards.masks.isRestoring;
  if (!isChecked || opened.call.api === 'embeddings') return answer;
  return new Observable((client) => {
    const guarded = new GuardedAnswer(client, opened, head, guards);
    answer.subscribe(guarded);
    return () => guarded.unsubscribe();
  });
}

class GuardedAnswer extends Subscriber<Answer> {
  private readonly texts: AnswerTexts;
  private form: GuardedForm | null = null;
  private readonly waiting: (() => Work<void>)[] = [];
  private isWorking = false;
  private isPaused = false;
  private hasFailed = false;
  /** Ends the call as soon as its row is closed. */
  private stoppedBy: GatewayError | null = null;
  /** Whether the call's row is closed, so that an error cannot change it. */
  private isSettled = false;
  private checkedWhole: ChatCompletion | null = null;
  private timer: NodeJS.Timeout | undefined;
  private latestAt = 0;

  constructor(
    private readonly client: Subscriber<Answer>,
    private readonly opened: OpenedCall,
    private readonly head: ReplyHead,
    guards: CallGuards,
  ) {
    super();
    this.texts = new AnswerTexts(guards);
    this.add(() => clearTimeout(this.timer));
    opened.record.checkWhole = (completion) => nowOrInTurns(this.checked(completion));
  }

  protected override _next(answer: Answer): void {
    this.isSettled ||= isFinal(answer);
    if (this.stoppedBy) {
      if (this.isSettled) this.fail(this.stoppedBy);
      return;
    }
    this.form ??= this.formOf(answer);
    const { form } = this;
    if (answer.object === 'chat.completion') {
      if (answer === this.checkedWhole) this.client.next(answer);
      else this.work(() => this.whole(answer));
      return;
    }
    this.latestAt = performance.now();
    this.timer ??= setTimeout(() => this.onQuiet(), QUIET_MS);
    if (!this.doneNow(form, answer)) this.work(() => form.chunk(answer));
  }

  protected override _error(error: unknown): void {
    this.fail(error);
  }

  protected override _complete(): void {
    clearTimeout(this.timer);
    this.isSettled = true;
    if (this.stoppedBy) {
      this.fail(this.stoppedBy);
      return;
    }
    const { form } = this;
    if (form) this.work(() => this.end(form));
    else this.client.complete();
  }

  // Methods, as the class of a generator function of each call would keep the call in memory until a full collection.
  private *whole(completion: ChatCompletion): Work<void> {
    this.client.next(yield* this.checked(completion));
  }

  private *checked(completion: ChatCompletion): Work<ChatCompletion> {
    this.form ??= this.formOf(completion);
    this.checkedWhole = yield* this.form.whole(completion);
    if (this.texts.isBlocked) this.opened.record.finishReason = 'content_filter';
    return this.checkedWhole;
  }

  private *end(form: GuardedForm): Work<void> {
    yield* form.end();
    this.client.complete();
  }

  private formOf(answer: Answer): GuardedForm {
    const emit = (chunk: Answer) => this.client.next(chunk);
    const isNative = 'nativeText' in answer || 'nativeEvents' in answer;
    if (!isNative) return new GuardedChat(this.texts, emit);
    return new GuardedNative(this.texts, emit, this.opened.call.api === 'messages' ? messagesForm : responsesForm);
  }

  private onQuiet(): void {
    this.timer = undefined;
    const { form } = this;
    const left = QUIET_MS - (performance.now() - this.latestAt);
    if (left > 1) this.timer = setTimeout(() => this.onQuiet(), left);
    else if (form && !this.isWorking) this.work(() => form.quiet());
  }

  private doneNow(form: GuardedForm, chunk: ChatCompletionChunk): boolean {
    if (this.isWorking || this.hasFailed) return false;
    try {
      if (!form.now(chunk)) return false;
      if (this.texts.isBlocked) this.opened.record.finishReason = 'content_filter';
    } catch (error) {
      this.stop(error);
    }
    return true;
  }

  /** One after the other; what needs no waiting is done at once. */
  private work(task: () => Work<void>): void {
    if (this.hasFailed) return;
    if (this.isWorking) {
      this.waiting.push(task);
      if (this.waiting.length === MAX_WAITING) this.pause(true);
      return;
    }
    this.isWorking = true;
    this.go(task(), undefined);
  }

  private go(begun: Work<void>, resolved: unknown): void {
    let work = begun;
    let value = resolved;
    try {
      while (!this.hasFailed && !this.client.closed) {
        const step = work.next(value);
        if (!step.done) {
          step.value.then(
            (result) => this.go(work, result),
            (error) => this.stop(error),
          );
          return;
        }
        if (this.texts.isBlocked) this.opened.record.finishReason = 'content_filter';
        const next = this.waiting.shift();
        if (!next) break;
        work = next();
        value = undefined;
      }
    } catch (error) {
      this.stop(error);
      return;
    }
    this.isWorking = false;
    this.pause(false);
  }

  private pause(isPaused: boolean): void {
    if (this.isPaused === isPaused) return;
    this.isPaused = isPaused;
    if (isPaused) this.head.flow?.pause();
    else this.head.flow?.resume();
  }

  /** A guard cannot tell: the call ends, and its row says so. */
  private stop(cause: unknown): void {
    if (this.hasFailed || this.stoppedBy) return;
    const error = cause instanceof GatewayError ? cause : internalError();
    if (this.isSettled || this.client.closed) this.fail(error);
    else {
      this.stoppedBy = error;
      this.opened.record.cutOff(error);
    }
  }

  private fail(error: unknown): void {
    this.hasFailed = true;
    clearTimeout(this.timer);
    this.client.error(error);
  }
}

/** Whether it is sent after the call's row was closed. */
function isFinal(answer: Answer): boolean {
  if (answer.object === 'chat.completion') return true;
  return answer.nativeEvents ? answer.nativeEvents.isLast : answer.choices.length === 0;
}
