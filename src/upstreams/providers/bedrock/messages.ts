import type { AssistantMessage, ChatMessage, ImagePart, TextPart, ToolCall } from '../../contract/chat.types.js';
import { type ReasoningDetail, reasoningDetailsOf, thoughtsOfCall } from '../reasoning-details.js';
import { toolArguments } from '../tool-arguments.js';
import { imageBlock, textBlocks, userBlocks } from './content.js';
import type { ContentBlock, ImageBlock, TextBlock, ToolResultBlock, Turn } from './converse.types.js';
import { modelFamily } from './model-family.js';
import { ToolUseIds, toolUseName } from './tool-use-ids.js';

export interface Conversation {
  system: TextBlock[];
  messages: Turn[];
}

/** Stand where the API demands a word and the conversation has none. */
const OPENING: TextBlock = { text: 'Begin.' };
const CLOSING: TextBlock = { text: 'Continue.' };
const NO_OUTPUT: TextBlock = { text: '(no output)' };
const SEPARATOR: TextBlock = { text: '.' };

/** Families whose models refuse other content in the turn that holds tool results. */
const RESULTS_STAND_ALONE = new Set(['meta', 'mistral', 'writer']);

/**
 * A conversation in the form of Converse: system texts apart; user and assistant in turn, the user first and last; the
 * results of one turn's tool calls together at the start of the next; no blank text.
 */
export function toMessages(messages: readonly ChatMessage[], upstreamModel: string): Conversation {
  const family = modelFamily(upstreamModel);
  const turns = new Turns(RESULTS_STAND_ALONE.has(family));
  const ids = new ToolUseIds();
  const system: TextBlock[] = [];
  const documentNames = new Set<string>();

  messages.forEach((message, index) => {
    switch (message.role) {
      case 'system':
      case 'developer':
        system.push(...textBlocks(message.content));
        break;
      case 'user':
        turns.add('user', userBlocks(message.content, `messages[${index}].content`, documentNames));
        break;
      case 'assistant':
        turns.add('assistant', assistantBlocks(message, ids, family === 'anthropic'));
        break;
      case 'tool':
        turns.addResult(toolResult(ids.ofResult(message.tool_call_id), message.content, `messages[${index}].content`));
    }
  });

  if (turns.list.length === 0) return { system: [], messages: [{ role: 'user', content: orOpening(system) }] };
  return { system, messages: turns.framed() };
}

function orOpening(blocks: TextBlock[]): TextBlock[] {
  return blocks.length > 0 ? blocks : [OPENING];
}

/** Text and images, as botocore's `ToolResultContentBlock` has them. `path` is the content's. */
function toolResult(toolUseId: string, content: string | (TextPart | ImagePart)[], path: string): ToolResultBlock {
  const blocks =
    typeof content === 'string'
      ? textBlocks(content)
      : content.flatMap((part, index) => resultBlocks(part, `${path}[${index}]`));
  return { toolResult: { toolUseId, content: blocks.length > 0 ? blocks : [NO_OUTPUT] } };
}

function resultBlocks(part: TextPart | ImagePart, path: string): (TextBlock | ImageBlock)[] {
  return part.type === 'text' ? textBlocks(part.text) : [imageBlock(part, path)];
}

/** Gathers blocks into turns. */
class Turns {
  readonly list: Turn[] = [];

  constructor(private readonly resultsStandAlone: boolean) {}

  add(role: Turn['role'], blocks: ContentBlock[]): void {
    if (blocks.length === 0) return;
    const last = this.list.at(-1);
    if (last?.role !== role) this.list.push({ role, content: blocks });
    else if (this.resultsStandAlone && isResult(last.content.at(-1))) {
      this.list.push({ role: 'assistant', content: [SEPARATOR] }, { role, content: blocks });
    } else last.content.push(...blocks);
  }

  /** Before whatever else the user's turn holds. */
  addResult(result: ToolResultBlock): void {
    const last = this.list.at(-1);
    const place = last?.role === 'user' ? last.content.findIndex((block) => !isResult(block)) : -1;
    if (place >= 0) last?.content.splice(place, 0, result);
    else if (last?.role === 'user') last.content.push(result);
    else this.list.push({ role: 'user', content: [result] });
  }

  /** The turns with the user's as the first and the last. */
  framed(): Turn[] {
    if (this.list[0]?.role !== 'user') this.list.unshift({ role: 'user', content: [OPENING] });
    if (this.list.at(-1)?.role !== 'user') this.list.push({ role: 'user', content: [CLOSING] });
    return this.list;
  }
}

function isResult(block: ContentBlock | undefined): boolean {
  return block !== undefined && 'toolResult' in block;
}

/** What the model said: before its words and its calls the thoughts that led to these, where it `signs` them. */
function assistantBlocks(message: AssistantMessage, ids: ToolUseIds, signs: boolean): ContentBlock[] {
  const { content, refusal, tool_calls: calls = [] } = message;
  const [first, ...others] = calls;
  const blocks = first && signs ? thoughtBlocks(thoughtsOfCall(first) ?? reasoningDetailsOf(message)) : [];
  blocks.push(...textBlocks(content ?? ''), ...textBlocks(refusal ?? ''));
  if (first) blocks.push(toolUse(first, ids));
  for (const call of others) {
    if (signs) blocks.push(...thoughtBlocks(thoughtsOfCall(call) ?? []));
    blocks.push(toolUse(call, ids));
  }
  return blocks;
}

function thoughtBlocks(thoughts: readonly ReasoningDetail[]): ContentBlock[] {
  return thoughts.map((thought) => ({
    reasoningContent:
      thought.type === 'reasoning.text'
        ? { reasoningText: { text: thought.text, signature: thought.signature } }
        : { redactedContent: thought.data },
  }));
}

function toolUse(call: ToolCall, ids: ToolUseIds): ContentBlock {
  const name = toolUseName(call.type === 'custom' ? call.custom.name : call.function.name);
  return { toolUse: { toolUseId: ids.ofCall(call.id), name, input: inputOf(call) } };
}

/** Arguments that are no JSON object are still told to the model, as they were written. */
function inputOf(call: ToolCall) {
  if (call.type === 'custom') return { input: call.custom.input };
  return toolArguments(call.function.arguments) ?? { arguments: call.function.arguments };
}
