import type {
  AnswerImage,
  AssistantMessage,
  ChatMessage,
  RefusalPart,
  TextPart,
  ToolCall,
} from '../../../upstreams/contract/chat.types.js';
import { isObject, type JsonObject, objectsOf, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';
import { decodeReasoning, isOwnReasoning } from '../../shared/carried-reasoning.js';
import { toolMessage } from '../../shared/tool-arguments.js';
import { toAssistantContent, toInstructions, toToolResult, toUserContent } from './chat-content.js';
import { type ToolNames, toCustomArguments } from './chat-tools.js';
import { isHostedTrace, itemType } from './input.checks.js';
import type { InputItem } from './responses-request.types.js';
import type { Translation } from './translation.js';

interface OpenMessage {
  /** The path of its first item. */
  path: string;
  content: (TextPart | RefusalPart)[];
  tool_calls: ToolCall[];
  images: AnswerImage[];
  fields: JsonObject;
}

/** Converts items to messages. All items of an answer, from its reasoning to its calls, become one message. */
export class Conversation {
  private readonly done: ChatMessage[] = [];
  private open: OpenMessage | null = null;
  private readonly reasoning = new ReturnedReasoning();

  constructor(
    private readonly names: ToolNames,
    private readonly translation: Translation,
  ) {}

  add(item: InputItem, path: string): void {
    const type = itemType(item);
    switch (type) {
      case 'message':
        this.addMessage(item, path);
        return;
      case 'additional_tools':
      case 'configuration_update':
        return;
      case 'reasoning':
        if (!this.reasoning.add(item)) this.translation.drop(path);
        else if (this.open) Object.assign(this.open.fields, this.reasoning.takeFields(this.open.fields));
        return;
      case 'function_call':
        this.addCall(item, String(item.arguments), path);
        return;
      case 'custom_tool_call':
        this.addCall(item, toCustomArguments(String(item.input)), path);
        return;
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.addResult(item, path);
        return;
      case 'image_generation_call':
        this.addImage(item, path);
        return;
      default:
        if (isHostedTrace(type)) this.translation.drop(path);
        else this.translation.refuse(`${path}.type`);
    }
  }

  messages(): ChatMessage[] {
    this.endAnswer();
    return this.done;
  }

  private addMessage(item: InputItem, path: string): void {
    if (item.role === 'assistant') {
      const content = toAssistantContent(item.content, `${path}.content`, this.translation);
      // Text after a call belongs to the same answer, as the call's result must follow the message with the call.
      if (this.open && this.open.tool_calls.length > 0) this.open.content.push(...content);
      else this.begin(content, path);
      return;
    }
    this.endAnswer();
    const contentPath = `${path}.content`;
    if (item.role === 'user') {
      const content = toUserContent(item.content, contentPath, this.translation);
      this.push({ role: 'user', content }, path, contentPath);
    } else {
      const role = item.role === 'system' ? 'system' : 'developer';
      this.push({ role, content: toInstructions(item.content, contentPath, this.translation) }, path, contentPath);
    }
  }

  private addCall(item: InputItem, text: string, path: string): void {
    if (!this.open) this.begin([], path);
    const namespace = typeof item.namespace === 'string' ? item.namespace : undefined;
    const called = { name: this.names.offered(namespace, String(item.name)), arguments: text };
    this.open?.tool_calls.push({
      id: String(item.call_id),
      type: 'function',
      function: called,
      ...this.reasoning.takeOfCall(),
    });
  }

  /** A picture of the answer, which targets that take none name as ignored. */
  private addImage({ result }: InputItem, path: string): void {
    if (typeof result !== 'string' || result === '') {
      this.translation.drop(path);
      return;
    }
    if (!this.open) this.begin([], path);
    const images = this.open?.images ?? [];
    images.push({
      type: 'image_url',
      index: images.length,
      image_url: { url: `data:${imageType(result)};base64,${result}` },
    });
    this.translation.paths.addImages(path);
  }

  private addResult(item: InputItem, path: string): void {
    this.endAnswer();
    const contentPath = `${path}.output`;
    const content = toToolResult(item.output, contentPath, this.translation);
    this.push(toolMessage(String(item.call_id), content), path, contentPath);
  }

  private begin(content: readonly (TextPart | RefusalPart)[], path: string): void {
    this.endAnswer();
    this.open = { path, content: [...content], tool_calls: [], images: [], fields: this.reasoning.takeFields({}) };
  }

  private endAnswer(): void {
    if (this.open) this.push(toAssistantMessage(this.open), this.open.path, `${this.open.path}.content`);
    this.open = null;
  }

  /** `contentPath`: the path of the message's content in the request. */
  private push(message: ChatMessage, path: string, contentPath?: string): void {
    this.done.push(message);
    this.translation.paths.addMessage(path, contentPath);
  }
}

function toAssistantMessage({ content, tool_calls: calls, images, fields }: OpenMessage): AssistantMessage {
  return {
    role: 'assistant',
    content: contentOf(content, calls.length > 0),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(images.length > 0 && { images }),
    ...fields,
  };
}

/** The media type by the first bytes, in base64. */
function imageType(base64: string): string {
  if (base64.startsWith('/9j/')) return 'image/jpeg';
  if (base64.startsWith('UklGR')) return 'image/webp';
  return base64.startsWith('R0lGOD') ? 'image/gif' : 'image/png';
}

function contentOf(
  parts: readonly (TextPart | RefusalPart)[],
  called: boolean,
): string | null | readonly (TextPart | RefusalPart)[] {
  const [only, ...others] = parts;
  if (only === undefined) return called ? null : '';
  return others.length === 0 && only.type === 'text' ? only.text : parts;
}

/** Collects reasoning of earlier answers until the message or call that it belongs to. */
class ReturnedReasoning {
  private ofCall: JsonObject = {};
  private ofMessage: JsonObject = {};

  /** False: another provider encrypted the item, so that a translated target cannot use it. */
  add(item: ReadonlyJsonObject): boolean {
    const { encrypted_content: encrypted } = item;
    if (encrypted != null && encrypted !== '' && !isOwnReasoning(encrypted)) return false;
    const { call, message = {} } = decodeReasoning(encrypted);
    if (call) this.ofCall = { ...this.ofCall, ...call };
    const { extra_content: extra, reasoning_details: details, reasoning_content: hidden } = message;
    // Only these fields, as a client could have added others to the item.
    if (isObject(extra)) this.ofMessage.extra_content = extra;
    if (Array.isArray(details)) this.ofMessage.reasoning_details = details;
    const thoughts = readable(item) || (typeof hidden === 'string' ? hidden : '');
    if (thoughts !== '') this.ofMessage.reasoning_content = joined(this.ofMessage.reasoning_content, thoughts);
    return true;
  }

  /** The fields to add to the message that the items belong to. `known`: its fields so far. */
  takeFields(known: ReadonlyJsonObject): JsonObject {
    const fields = this.ofMessage;
    this.ofMessage = {};
    if (typeof fields.reasoning_content === 'string') {
      fields.reasoning_content = joined(known.reasoning_content, fields.reasoning_content);
    }
    return fields;
  }

  takeOfCall(): { extra_content?: JsonObject } {
    const extra = this.ofCall;
    this.ofCall = {};
    return Object.keys(extra).length > 0 ? { extra_content: extra } : {};
  }
}

/** The text that the client could read: the reasoning itself, or its summary. */
function readable({ content, summary }: ReadonlyJsonObject): string {
  const whole = objectsOf(content).map(({ text }) => String(text));
  return (whole.length > 0 ? whole : objectsOf(summary).map(({ text }) => String(text))).join('\n\n');
}

function joined(before: unknown, text: string): string {
  return typeof before === 'string' ? `${before}\n\n${text}` : text;
}
