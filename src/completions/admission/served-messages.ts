import type { ChatMessage, ContentPart, TextPart, ToolCall } from '../../upstreams/contract/chat.types.js';

type ResultMessage = Extract<ChatMessage, { role: 'tool' }>;

/** The messages for a target, and the position of each one's source among the request's messages. */
export interface ServedMessages {
  readonly messages: readonly ChatMessage[];
  readonly positions: readonly number[];
}

/**
 * Puts the results of tools directly behind their calls, as APIs refuse other messages in between. Files in results,
 * and images unless the target `takesImages` there, go to the user's message behind the results. Null: the request's
 * messages already have this form.
 */
export function servedMessages(messages: readonly ChatMessage[], takesImages: boolean): ServedMessages | null {
  if (!messages.some(({ role }) => role === 'tool')) return null;
  const served = new ServedList(takesImages);
  for (const position of inOrder(messages)) served.add(messages[position] as ChatMessage, position);
  const { list, positions } = served.end();
  const isTheSame = list.length === messages.length && list.every((message, index) => message === messages[index]);
  return isTheSame ? null : { messages: list, positions };
}

/** The path in the request of a field in the served messages. Parts that moved are named by their message. */
export function pathInRequest(path: string, { messages, positions }: ServedMessages, request: readonly ChatMessage[]) {
  const [, index, rest = ''] = /^messages\[(\d+)\](.*)$/.exec(path) ?? [];
  const position = positions[Number(index)];
  if (position === undefined) return path;
  return `messages[${position}]${messages[Number(index)] === request[position] ? rest : ''}`;
}

/** Positions: each result behind the latest call with its id. A result without a call stays where it is. */
function inOrder(messages: readonly ChatMessage[]): number[] {
  const callers = new Map<string, number>();
  const results = new Map<number, number[]>();
  const others: number[] = [];
  for (const [position, message] of messages.entries()) {
    const caller = message.role === 'tool' ? callers.get(message.tool_call_id) : undefined;
    if (caller === undefined) others.push(position);
    else results.get(caller)?.push(position);
    const calls = callsOf(message);
    if (calls.length > 0) results.set(position, []);
    for (const { id } of calls) callers.set(id, position);
  }
  return others.flatMap((position) => [position, ...(results.get(position) ?? [])]);
}

function callsOf(message: ChatMessage): readonly ToolCall[] {
  return (message.role === 'assistant' && message.tool_calls) || [];
}

class ServedList {
  readonly list: ChatMessage[] = [];
  readonly positions: number[] = [];
  /** What the results so far leave to the user's message, and the position of the first of these results. */
  private media: ContentPart[] = [];
  private mediaPosition = 0;

  constructor(private readonly takesImages: boolean) {}

  add(message: ChatMessage, position: number): void {
    if (message.role === 'tool') this.push(this.withoutMedia(message, position), position);
    else if (message.role === 'user') this.push(this.withMedia(message), position);
    else {
      this.sendMedia();
      this.push(message, position);
    }
  }

  end(): this {
    this.sendMedia();
    return this;
  }

  private withoutMedia(message: ResultMessage, position: number): ResultMessage {
    const { content, tool_call_id: id } = message;
    if (typeof content === 'string') return message;
    const media = (content as readonly ContentPart[]).filter(
      ({ type }) => type === 'file' || (type === 'image_url' && !this.takesImages),
    );
    if (media.length === 0) return message;
    if (this.media.length === 0) this.mediaPosition = position;
    this.media.push({ type: 'text', text: `Images and files of the tool result ${id}:` }, ...media);
    const left = [...content.filter((part) => !media.includes(part)), ELSEWHERE];
    return { ...message, content: left.every(isText) ? left.map(({ text }) => text).join('\n') : left };
  }

  private withMedia(message: Extract<ChatMessage, { role: 'user' }>): ChatMessage {
    if (this.media.length === 0) return message;
    const { content } = message;
    const own: readonly ContentPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return { ...message, content: [...this.media.splice(0), ...own] };
  }

  private sendMedia(): void {
    if (this.media.length > 0) this.push({ role: 'user', content: this.media.splice(0) }, this.mediaPosition);
  }

  private push(message: ChatMessage, position: number): void {
    this.list.push(message);
    this.positions.push(position);
  }
}

const ELSEWHERE: TextPart = {
  type: 'text',
  text: '(The images and files of this result are in the next message of the user.)',
};

function isText(part: ContentPart): part is TextPart {
  return part.type === 'text';
}
