import type { AssistantMessage, ChatMessage, ImagePart, TextPart, ToolCall } from '../../contract/chat.types.js';
import { trimEnd } from '../shared/claude-prefill.js';
import { returnedThoughts, type Thought } from '../shared/claude-thoughts.js';
import { FUNCTION_NAMES } from '../shared/function-calls.js';
import { ToolArguments } from '../shared/tool-arguments.js';
import { hashedId, ToolCallIds } from '../shared/tool-call-ids.js';
import { validName } from '../shared/tool-renaming.js';
import { Turns } from '../shared/turns.js';
import { unsupportedAudio } from '../shared/unsupported.js';
import { imageBlock, textBlocks, userBlocks } from './content.js';
import type { ContentBlock, ConverseTurn, ImageBlock, TextBlock, ToolResultBlock } from './converse.types.js';
import { modelFamily } from './model-family.js';

export interface Conversation {
  system: TextBlock[];
  turns: ConverseTurn[];
}

/** Placeholders for texts that the API requires if the conversation has none. */
const NO_OUTPUT: TextBlock = { text: '(no output)' };
const SEPARATOR: TextBlock = { text: '.' };

/** Model families that accept tool results only without other content. */
const RESULTS_STAND_ALONE = new Set(['meta', 'mistral', 'writer']);

/**
 * Converts a conversation. System text is separate. Roles alternate; the user is first and, unless the answer is
 * `prefilled`, last. The tool results of one turn come together at the start of the next. Blank text is dropped.
 */
export function toMessages(messages: readonly ChatMessage[], upstreamModel: string, prefilled = false): Conversation {
  const family = modelFamily(upstreamModel);
  const turns = new ConverseTurns(RESULTS_STAND_ALONE.has(family));
  const ids = new ToolCallIds(validId);
  const toolArguments = new ToolArguments();
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
        turns.add(
          'assistant',
          assistantBlocks(message, { ids, toolArguments, signs: family === 'anthropic', path: `messages[${index}]` }),
        );
        break;
      case 'tool':
        turns.addResult(toolResult(ids.ofResult(message.tool_call_id), message.content, `messages[${index}].content`));
    }
  });

  const conversation = turns.withSystem(system, prefilled);
  if (prefilled) trimEnd(conversation.turns.at(-1)?.content);
  return conversation;
}

/** Text and images (`ToolResultContentBlock` in botocore). `path`: the content's path. */
function toolResult(
  toolUseId: string,
  content: string | readonly (TextPart | ImagePart)[],
  path: string,
): ToolResultBlock {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
  const blocks = parts.flatMap((part, index): (TextBlock | ImageBlock)[] =>
    part.type === 'text' ? textBlocks(part.text) : [imageBlock(part, `${path}[${index}]`)],
  );
  return { toolResult: { toolUseId, content: blocks.length > 0 ? blocks : [NO_OUTPUT] } };
}

class ConverseTurns extends Turns<ContentBlock> {
  constructor(private readonly resultsStandAlone: boolean) {
    super((text) => ({ text }), isResult);
  }

  override add(role: ConverseTurn['role'], blocks: ContentBlock[]): void {
    const last = this.list.at(-1);
    const follows = last?.role === role && isResult(last.content.at(-1)) && blocks.length > 0;
    if (this.resultsStandAlone && follows) this.list.push({ role: 'assistant', content: [SEPARATOR] });
    super.add(role, blocks);
  }
}

function isResult(block: ContentBlock | undefined): boolean {
  return block !== undefined && 'toolResult' in block;
}

interface Context {
  ids: ToolCallIds;
  toolArguments: ToolArguments;
  /** Whether the model signs its reasoning. */
  signs: boolean;
  /** The message's path, for errors. */
  path: string;
}

/** Signed reasoning comes before the text and calls that follow from it. */
function assistantBlocks(message: AssistantMessage, context: Context): ContentBlock[] {
  const { signs, path } = context;
  const { content, refusal, tool_calls: calls = [], audio } = message;
  const [first, ...others] = calls;
  const blocks = first && signs ? thoughtBlocks(returnedThoughts(first, message)) : [];
  blocks.push(...textBlocks(content), ...textBlocks(refusal));
  if (first) blocks.push(toolUse(first, context));
  for (const call of others) {
    if (signs) blocks.push(...thoughtBlocks(returnedThoughts(call)));
    blocks.push(toolUse(call, context));
  }
  if (blocks.length === 0 && audio) throw unsupportedAudio(path);
  return blocks;
}

function thoughtBlocks(thoughts: readonly Thought[]): ContentBlock[] {
  return thoughts.map((thought) => ({
    reasoningContent:
      thought.type === 'thinking'
        ? { reasoningText: { text: thought.thinking, signature: thought.signature } }
        : { redactedContent: thought.data },
  }));
}

function toolUse(call: ToolCall, { ids, toolArguments }: Context): ContentBlock {
  const { name, input } = toolArguments.of(call);
  return { toolUse: { toolUseId: ids.ofCall(call.id), name: validName(name, FUNCTION_NAMES), input } };
}

/** Ids are short and contain letters, digits, `_` and `-`. */
function validId(id: string, nth: number): string {
  const own = nth === 1 ? id : `${id} ${nth}`;
  return /^[A-Za-z0-9_-]{1,64}$/.test(own) ? own : hashedId(own);
}
