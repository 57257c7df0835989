import { Injectable } from '@nestjs/common';
import { finalize, type Observable, tap } from 'rxjs';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { ContentLogService, type LoggedChoice } from '../../content-log/content-log.service.js';
import type { Answer, CalledFunction, ChatDelta, ChatResponseMessage } from '../../upstreams/contract/chat.types.js';
import type { CompletionCall } from '../completion.call.js';

/** Records prompts and answers of callers that opted in. */
@Injectable()
export class ContentRecorderService {
  constructor(
    private readonly log: ContentLogService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  isOnFor({ caller }: CompletionCall): boolean {
    return caller.logsContent && this.log.isPossible;
  }

  /** The same answer. Its content is stored when it has ended in any way. */
  recorded(call: CompletionCall, answer: Observable<Answer>): Observable<Answer> {
    const { maxSize } = this.settings.contentLog;
    const request = boundedCopy(call.request, maxSize);
    const message = new AnswerContent(maxSize);
    const { id, caller, startedAt } = call;
    const logged = { id, at: startedAt, keyId: caller.keyId, userId: caller.userId };
    return answer.pipe(
      tap((part) => message.see(part)),
      finalize(() => {
        this.log.add(logged, {
          request: request.copy as Record<string, unknown>,
          answer: message.logged(),
          isCut: request.isCut || message.isCut,
        });
      }),
    );
  }
}

interface Tool {
  name: string;
  arguments: string;
}

type Written = Omit<LoggedChoice, 'index' | 'toolCalls'> & { readonly tools: Map<number, Tool> };
type Choice = { -readonly [Name in keyof Written]: Written[Name] };

/** Joins the pieces of an answer, up to a number of characters. */
class AnswerContent {
  isCut = false;
  private readonly choices = new Map<number, Choice>();

  constructor(private left: number) {}

  see({ choices }: Answer): void {
    for (const choice of choices) {
      const known = this.choiceAt(choice.index);
      known.finishReason ??= choice.finish_reason;
      this.seeText(known, 'delta' in choice ? choice.delta : choice.message);
    }
  }

  logged(): LoggedChoice[] {
    return [...this.choices].map(([index, { tools, ...choice }]) => ({
      index,
      ...choice,
      toolCalls: [...tools.values()],
    }));
  }

  private choiceAt(index: number): Choice {
    const known = this.choices.get(index);
    if (known) return known;
    const choice: Choice = { reasoning: '', content: '', refusal: '', finishReason: null, tools: new Map() };
    this.choices.set(index, choice);
    return choice;
  }

  private seeText(choice: Choice, message: ChatDelta | ChatResponseMessage): void {
    const { content, refusal, reasoning_content: reasoning, tool_calls: calls = [], function_call: called } = message;
    choice.content += this.taken(content);
    choice.refusal += this.taken(refusal);
    choice.reasoning += this.taken(reasoning);
    if (called) this.seeCalled(choice, 0, called);
    for (const [position, call] of calls.entries()) {
      const index = 'index' in call ? Number(call.index) : position;
      if ('function' in call && call.function) this.seeCalled(choice, index, call.function);
      else if ('custom' in call) {
        const { name = '', input = '' } = call.custom as { name?: string; input?: string };
        this.seeCalled(choice, index, { name, arguments: input });
      }
    }
  }

  private seeCalled(choice: Choice, index: number, called: CalledFunction): void {
    const tool = choice.tools.get(index) ?? { name: '', arguments: '' };
    tool.name += this.taken(called.name);
    tool.arguments += this.taken(called.arguments);
    choice.tools.set(index, tool);
  }

  private taken(text: string | null | undefined): string {
    if (!text) return '';
    if (text.length > this.left) this.isCut = true;
    const taken = text.slice(0, this.left);
    this.left -= taken.length;
    return taken;
  }
}

/** Longer base64 strings count as media: images, sound, files. */
const MAX_BASE64_LENGTH = 1000;
const BASE64 = /^(data:[^,]{0,200},)?[\w+/=-]+$/;
/** The size of a value in addition to its text. */
const VALUE = 8;

export interface BoundedCopy {
  readonly copy: unknown;
  /** Whether something is missing. */
  readonly isCut: boolean;
}

/** A copy of a JSON value with about `most` characters at most. Media become their size; the end may be cut. */
export function boundedCopy(value: unknown, most: number): BoundedCopy {
  const copier = new Copier(most);
  return { copy: copier.copy(value), isCut: copier.isCut };
}

class Copier {
  isCut = false;

  constructor(private left: number) {}

  copy(value: unknown): unknown {
    this.left -= VALUE;
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
    return Array.isArray(value) ? this.list(value) : this.object(value);
  }

  private text(text: string): string {
    const media = mediaNote(text);
    if (media !== null) return media;
    const stored = text.length <= this.left ? text : text.slice(0, Math.max(0, this.left)).toWellFormed();
    this.left -= stored.length;
    if (stored.length === text.length) return text;
    this.isCut = true;
    return `${stored}… [${text.length - stored.length} more characters]`;
  }

  private list(list: readonly unknown[]): unknown[] {
    const stored: unknown[] = [];
    for (const item of list) {
      if (this.isFull()) break;
      stored.push(this.copy(item));
    }
    return stored;
  }

  private object(object: object): Record<string, unknown> {
    const stored: [string, unknown][] = [];
    for (const [name, value] of Object.entries(object)) {
      if (this.isFull()) break;
      this.left -= name.length;
      stored.push([name, this.copy(value)]);
    }
    return Object.fromEntries(stored);
  }

  private isFull(): boolean {
    if (this.left > 0) return false;
    this.isCut = true;
    return true;
  }
}

/** "data:image/png;base64,[123456 characters]"; null for text. */
function mediaNote(text: string): string | null {
  if (text.length <= MAX_BASE64_LENGTH) return null;
  const found = BASE64.exec(text.slice(0, MAX_BASE64_LENGTH));
  return found && `${found[1] ?? ''}[${text.length - (found[1]?.length ?? 0)} characters]`;
}
