import type { ChatCompletionRequest, ChatMessage } from '../../contract/chat.types.js';

/** The path of the first image in a tool's result; undefined where there is none. */
export function toolImage({ messages }: ChatCompletionRequest): string | undefined {
  const position = messages.findIndex((message) => imageIn(message) >= 0);
  const message = messages[position];
  return message && `messages[${position}].content[${imageIn(message)}]`;
}

function imageIn({ role, content }: ChatMessage): number {
  return role === 'tool' && Array.isArray(content) ? content.findIndex(({ type }) => type === 'image_url') : -1;
}
