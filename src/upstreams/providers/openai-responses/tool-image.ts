import type { ChatCompletionRequest } from '../../contract/chat.types.js';

/** The path of the first image in a tool's result; undefined where there is none. */
export function toolImage({ messages }: ChatCompletionRequest): string | undefined {
  for (const [position, { role, content }] of messages.entries()) {
    if (role !== 'tool' || !Array.isArray(content)) continue;
    const index = content.findIndex(({ type }) => type === 'image_url');
    if (index >= 0) return `messages[${position}].content[${index}]`;
  }
  return undefined;
}
