import type { RefusalPart, TextPart } from '../../contract/chat.types.js';

export type TextContent = string | readonly (TextPart | RefusalPart)[] | null | undefined;

/** The texts of a content, including refusals. */
export function textsOf(content: TextContent): string[] {
  if (typeof content === 'string') return [content];
  return (content ?? []).map((part) => (part.type === 'refusal' ? part.refusal : part.text));
}
