import type { ChatDelta, ChatResponseMessage, ToolCallDelta } from '../../../upstreams/contract/chat.types.js';
import { isObject, type JsonObject } from '../../../upstreams/contract/json.js';
import { encodeReasoning } from '../../shared/carried-reasoning.js';
import { ArgumentsText } from '../../shared/tool-arguments.js';
import type { ShownThinking } from '../translation/chat-request.js';
import type { BlockWriter } from './block.list.js';

/** Settings of the request for its answer. */
export interface AnswerSettings {
  readonly thinking: ShownThinking;
  /** Offered name → the client's name of the tool, if they differ. */
  readonly names: ReadonlyMap<string, string>;
}

/** Answers in this format have no images. */
const LOST_IMAGE =
  '[The model made an image, which the Messages API cannot return. /v1/chat/completions and /v1/responses return it.]';

/** Content that waits until the open tool call is complete. */
type Waiting = { type: 'text' | 'thinking'; text: string } | { type: 'tool_use'; call: ToolCallDelta; text: string };

/**
 * Converts an answer's deltas to blocks, one after the other. The deltas of several tool calls may be interleaved, but
 * a block cannot be opened again. So what follows a call waits until its arguments are complete, or the answer has ended.
 */
export class AnswerBlocks {
  private open: 'text' | 'thinking' | 'tool_use' | null = null;
  /** The open tool call's index and arguments. */
  private callIndex = -1;
  private callText = new ArgumentsText();
  /** The calls whose blocks have been opened. */
  private readonly begun = new Set<number>();
  private readonly waiting: Waiting[] = [];
  hasToolCalls = false;
  /** Vendor fields of the message that no thinking block carries yet. */
  private carried: JsonObject | undefined;

  constructor(
    private readonly writer: BlockWriter,
    private readonly settings: AnswerSettings,
  ) {}

  read(part: ChatDelta | ChatResponseMessage): void {
    if (this.settings.thinking !== 'hidden') this.carry(part);
    if (part.reasoning_content && this.settings.thinking !== 'hidden') this.addText('thinking', part.reasoning_content);
    if (part.content) this.addText('text', part.content);
    if (part.refusal) this.addText('text', part.refusal);
    for (const _ of part.images ?? []) this.addText('text', LOST_IMAGE);
    part.tool_calls?.forEach((call, index) => {
      this.addCall({ index, ...call } as ToolCallDelta);
    });
  }

  /** Closes the last block. */
  end(): void {
    const waiting = this.waiting.splice(0);
    this.close();
    // Only if there are tool calls: clients expect the last block of other answers to be text.
    if (this.carried && this.hasToolCalls) this.sign({});
    for (const one of waiting) this.write(one);
    this.close();
  }

  /** Whether a block may follow the open one. */
  private get canContinue(): boolean {
    return this.open !== 'tool_use' || (this.waiting.length === 0 && this.callText.isWhole);
  }

  private advance(): void {
    while (this.waiting.length > 0 && (this.open !== 'tool_use' || this.callText.isWhole)) {
      const next = this.waiting.shift();
      if (next) this.write(next);
    }
  }

  private write(one: Waiting): void {
    if (one.type === 'tool_use') this.openCall(one.call);
    else this.begin(one.type);
    this.add(one.text);
  }

  private carry({ extra_content: extra, reasoning_details: details }: ChatDelta | ChatResponseMessage): void {
    if (isObject(extra)) this.carried = { ...this.carried, extra_content: extra };
    if (Array.isArray(details)) this.carried = { ...this.carried, reasoning_details: details };
  }

  private addText(type: 'text' | 'thinking', text: string): void {
    if (this.canContinue) {
      this.begin(type);
      this.add(text);
      return;
    }
    const last = this.waiting.at(-1);
    if (last?.type === type) last.text += text;
    else this.waiting.push({ type, text });
  }

  private addCall(call: ToolCallDelta): void {
    const text = call.function?.arguments ?? '';
    const { index } = call;
    if (this.open === 'tool_use' && index === this.callIndex) {
      this.add(text);
      this.advance();
      return;
    }
    // Only white space can follow complete arguments.
    if (this.begun.has(index)) return;
    const begun = this.waiting.find((one) => one.type === 'tool_use' && one.call.index === index);
    if (begun) begun.text += text;
    else if (this.canContinue) this.write({ type: 'tool_use', call, text });
    else this.waiting.push({ type: 'tool_use', call, text });
  }

  private add(text: string): void {
    if (this.open === 'tool_use') this.callText.add(text);
    if (this.open !== 'thinking' || this.settings.thinking === 'shown') this.writer.add(text);
  }

  private begin(type: 'text' | 'thinking'): void {
    if (this.open === type) return;
    this.close();
    if (type === 'text' && this.carried) this.sign({});
    this.open = type;
    this.writer.open({ type });
  }

  private openCall({ index, id = '', function: called, extra_content: extra }: ToolCallDelta): void {
    const carried = isObject(extra) && this.settings.thinking !== 'hidden' ? { call: extra } : {};
    if (this.open === 'thinking') this.close(carried);
    else {
      this.close();
      if (isObject(extra) && this.settings.thinking !== 'hidden') this.sign(carried);
    }
    this.open = 'tool_use';
    this.callIndex = index;
    this.callText = new ArgumentsText();
    this.begun.add(index);
    this.hasToolCalls = true;
    const name = called?.name ?? '';
    this.writer.open({ type: 'tool_use', id, name: this.settings.names.get(name) ?? name });
  }

  /** Writes a thinking block without text, to hold a signature. */
  private sign(carried: { call?: JsonObject }): void {
    this.open = 'thinking';
    this.writer.open({ type: 'thinking' });
    this.close(carried);
  }

  private close(carried: { call?: JsonObject } = {}): void {
    if (this.open === 'thinking') {
      this.writer.close(encodeReasoning({ ...carried, ...(this.carried && { message: this.carried }) }));
      this.carried = undefined;
    } else if (this.open !== null) {
      this.writer.close();
    }
    this.open = null;
  }
}
