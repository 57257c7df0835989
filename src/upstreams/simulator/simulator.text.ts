import type { ChatCompletionRequest, ChatMessage } from '../contract/chat.types.js';
import { instanceOf } from './simulated-instance.js';

const MAX_QUOTED = 200;

/** A text that says that it is simulated and quotes the question; or JSON, if requested. */
export function simulatedText(request: ChatCompletionRequest, model: string): string {
  const { messages, response_format: format } = request;
  const asked = quoted(messages.findLast(({ role }) => role === 'user'));
  if (format?.type === 'json_schema' && format.json_schema.schema) {
    return instanceOf(format.json_schema.schema, request.seed ?? 1, 'response_format.json_schema.schema');
  }
  if (format?.type === 'json_object' || format?.type === 'json_schema') {
    return JSON.stringify({ simulated: true, model, asked });
  }
  const last = messages.at(-1);
  return (
    `This is a simulated answer: no upstream is configured for the model ${model}, so no provider was called. ` +
    `Set the API key of its upstream to get real answers. You wrote: "${asked}"` +
    (last?.role === 'tool' ? ` The tool said: "${quoted(last)}"` : '')
  );
}

function quoted(message: ChatMessage | undefined): string {
  const text = textOf(message?.content ?? '');
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}

function textOf(content: NonNullable<ChatMessage['content']>): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join(' ');
}
