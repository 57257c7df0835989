import { invalidRequest } from '../../../common/gateway.error.js';
import type { AssistantMessage, ChatMessage } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import type { ToolArguments } from '../shared/tool-arguments.js';
import type { ToolRenaming } from '../shared/tool-renaming.js';
import { imagePart } from './content.js';
import { callId } from './endpoint.js';
import { isGemini3OrLater } from './model-generation.js';

type ResultMessage = Extract<ChatMessage, { role: 'tool' }>;

/** Collects the results of one turn's calls, with the function's names, in the order of the calls. */
export class FunctionResults {
  /** The last call with each id: the function's name and its position among all calls. */
  private readonly calls = new Map<string, { name: string; position: number }>();
  private count = 0;
  private gathered: { position: number; part: JsonObject }[] = [];
  /** Images of results, for models that do not accept them there; they follow after all results. */
  private media: JsonObject[] = [];

  constructor(
    private readonly call: ProviderCall,
    private readonly names: ToolRenaming,
    private readonly toolArguments: ToolArguments,
  ) {}

  expect({ tool_calls: toolCalls }: AssistantMessage): void {
    for (const called of toolCalls ?? []) {
      const { name } = called.type === 'function' ? called.function : called.custom;
      this.calls.set(called.id, { name, position: this.count++ });
    }
  }

  add({ tool_call_id: id, content }: ResultMessage, path: string): void {
    const called = this.calls.get(id);
    if (!called) {
      const message = 'No tool call of an earlier assistant message has this id.';
      throw invalidRequest('invalid_value', `${path}.tool_call_id`, message);
    }
    const media = imagesIn(content);
    const within = media.length > 0 && isGemini3OrLater(this.call.upstreamModel);
    if (!within) this.media.push(...media);
    const functionResponse = {
      ...callId(id, this.call),
      name: this.names.toApi(called.name),
      response: this.responseOf(textIn(content)),
      ...(within && { parts: media }),
    };
    this.gathered.push({ position: called.position, part: { functionResponse } });
  }

  /** The API requires an object: JSON objects are unchanged, anything else becomes `output`. */
  private responseOf(text: string): JsonObject {
    const value = /^\s*\{/.test(text) ? this.toolArguments.parse(text) : undefined;
    return value ?? { output: text };
  }

  /** The results since the last call of this function. */
  take(): JsonObject[] {
    if (this.gathered.length === 0) return [];
    const parts = this.gathered.sort((one, other) => one.position - other.position).map(({ part }) => part);
    parts.push(...this.media);
    this.gathered = [];
    this.media = [];
    return parts;
  }
}

function textIn(content: ResultMessage['content']): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function imagesIn(content: ResultMessage['content']): JsonObject[] {
  return typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'text' ? [] : [imagePart(part)]));
}
