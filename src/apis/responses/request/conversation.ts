import type {
  AssistantMessage,
  ChatMessage,
  FilePart,
  RefusalPart,
  TextPart,
  ToolCall,
} from '../../../upstreams/contract/chat.types.js';
import type { JsonObject } from '../../../upstreams/contract/json.js';
import { toAssistantContent, toInstructions, toToolResult, toUserContent } from './chat-content.js';
import { toCustomArguments } from './chat-tools.js';
import { isHostedTrace, itemType } from './input.checks.js';
import type { InputItem } from './responses-request.types.js';
import { ReturnedReasoning } from './returned-reasoning.js';
import type { ToolNames } from './tool-names.js';
import type { Translation } from './translation.js';

interface OpenMessage {
  /** The path of its first item. */
  path: string;
  content: (TextPart | RefusalPart)[];
  tool_calls: ToolCall[];
  fields: JsonObject;
}

/** Converts items to messages. All items of an answer, from its reasoning to its calls, become one message. */
export class Conversation {
  private readonly done: ChatMessage[] = [];
  private open: OpenMessage | null = null;
  private readonly reasoning = new ReturnedReasoning();
  /** Files of tool results; they follow after the last result of the answer's calls. */
  private files: FilePart[] = [];
  private filesPath = '';

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
      default:
        if (isHostedTrace(type)) this.translation.drop(path);
        else this.translation.refuse(`${path}.type`);
    }
  }

  messages(): ChatMessage[] {
    this.endAnswer();
    this.sendFiles();
    return this.done;
  }

  private addMessage(item: InputItem, path: string): void {
    this.sendFiles();
    if (item.role === 'assistant') {
      const content = toAssistantContent(item.content);
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
    this.sendFiles();
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

  private addResult(item: InputItem, path: string): void {
    this.endAnswer();
    const contentPath = `${path}.output`;
    const { content, files } = toToolResult(item.output, contentPath, this.translation);
    this.push({ role: 'tool', tool_call_id: String(item.call_id), content }, path, contentPath);
    this.files.push(...files);
    if (files.length > 0) this.filesPath ||= contentPath;
  }

  private begin(content: readonly (TextPart | RefusalPart)[], path: string): void {
    this.endAnswer();
    this.open = { path, content: [...content], tool_calls: [], fields: this.reasoning.takeFields({}) };
  }

  private endAnswer(): void {
    if (this.open) this.push(toAssistantMessage(this.open), this.open.path, `${this.open.path}.content`);
    this.open = null;
  }

  private sendFiles(): void {
    if (this.files.length === 0) return;
    this.endAnswer();
    this.push({ role: 'user', content: this.files }, this.filesPath);
    this.files = [];
    this.filesPath = '';
  }

  /** `contentPath`: the path of the message's content in the request. */
  private push(message: ChatMessage, path: string, contentPath?: string): void {
    this.done.push(message);
    this.translation.paths.addMessage(path, contentPath);
  }
}

function toAssistantMessage({ content, tool_calls: calls, fields }: OpenMessage): AssistantMessage {
  return {
    role: 'assistant',
    content: contentOf(content, calls.length > 0),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...fields,
  };
}

function contentOf(
  parts: readonly (TextPart | RefusalPart)[],
  called: boolean,
): string | null | readonly (TextPart | RefusalPart)[] {
  const [only, ...others] = parts;
  if (only === undefined) return called ? null : '';
  return others.length === 0 && only.type === 'text' ? only.text : parts;
}
