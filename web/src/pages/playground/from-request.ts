import { toolTurn, userTurn, writtenTurn } from './chat-request';
import {
  type ChatMessage,
  type ChatRequest,
  type ChatSettings,
  DEFAULT_SETTINGS,
  type Draft,
  type Image,
  type Turn,
} from './chat-settings';
import { NO_DRAFT } from './playground-store';

interface Opened {
  readonly settings: ChatSettings;
  readonly turns: readonly Turn[];
  readonly draft: Draft;
}

/** A request from the log as a conversation: its last message is the draft, ready to be sent again. */
export function fromRequest(request: ChatRequest): Opened {
  const { messages } = request;
  const spoken = messages.filter(({ role }) => !isInstruction(role));
  const last = spoken.at(-1);
  const isQuestion = last?.role === 'user';
  return {
    settings: settingsOf(request),
    turns: (isQuestion ? spoken.slice(0, -1) : spoken).flatMap((message) => toTurn(message, messages)),
    draft: isQuestion ? { text: textOf(last), images: imagesOf(last) } : NO_DRAFT,
  };
}

function isInstruction(role: string): boolean {
  return role === 'system' || role === 'developer';
}

function settingsOf(request: ChatRequest): ChatSettings {
  const { model, messages, temperature, top_p, max_completion_tokens, max_tokens, stop, seed, tools } = request;
  const { reasoning_effort: effort, response_format: format, stream } = request;
  return {
    ...DEFAULT_SETTINGS,
    model,
    system: messages
      .filter(({ role }) => isInstruction(role))
      .map(textOf)
      .join('\n\n'),
    stream: stream === true,
    temperature: temperature ?? null,
    topP: top_p ?? null,
    maxTokens: max_completion_tokens ?? max_tokens ?? null,
    stop: stop == null ? [] : [stop].flat(),
    seed: seed ?? null,
    effort: effort ?? null,
    format: format?.type ?? 'text',
    schema: format?.type === 'json_schema' ? JSON.stringify(format.json_schema.schema, null, 2) : '',
    tools: tools == null || tools.length === 0 ? '' : JSON.stringify(tools, null, 2),
  };
}

function toTurn(message: ChatMessage, messages: readonly ChatMessage[]): Turn[] {
  switch (message.role) {
    case 'user':
      return [userTurn(textOf(message), imagesOf(message))];
    case 'assistant':
      return [{ ...writtenTurn(textOf(message)), toolCalls: callsOf(message) }];
    case 'tool': {
      const call = messages.flatMap(callsOf).find(({ id }) => id === message.tool_call_id);
      return call ? [{ ...toolTurn(call), text: textOf(message) }] : [];
    }
    default:
      return [];
  }
}

function callsOf(message: ChatMessage) {
  if (message.role !== 'assistant') return [];
  return (message.tool_calls ?? []).flatMap((call) =>
    'function' in call ? [{ id: call.id, name: call.function.name, arguments: call.function.arguments }] : [],
  );
}

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

function partsOf({ content }: ChatMessage): readonly Part[] {
  return Array.isArray(content) ? (content as readonly Part[]) : [];
}

function textOf(message: ChatMessage): string {
  const { content } = message;
  return typeof content === 'string'
    ? content
    : partsOf(message)
        .flatMap(({ text }) => text ?? [])
        .join('\n');
}

/** Images that the log has cut are left out. */
function imagesOf(message: ChatMessage): Image[] {
  return partsOf(message).flatMap(({ image_url: image }, index) =>
    image && /^data:image\/[\w+.-]+;base64,[A-Za-z0-9+/]+=*$/.test(image.url)
      ? [{ id: `${index}`, name: `image ${index + 1}`, url: image.url, bytes: Math.floor((image.url.length * 3) / 4) }]
      : [],
  );
}
