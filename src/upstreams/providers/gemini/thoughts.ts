import type { AssistantMessage, ToolCall } from '../../contract/chat.types.js';
import { textOf } from '../../contract/json.js';
import { type ExtraContent, extraContent } from '../shared/extra-content.js';

/** Google's documented placeholder for a missing signature of a function call. */
export const NO_SIGNATURE = 'skip_thought_signature_validator';

/** Google's OpenAI-compatible API uses the same field for the signature. */
export function signedContent(signature: string): ExtraContent {
  return { extra_content: { google: { thought_signature: signature } } };
}

export function signatureOf(signed: AssistantMessage | ToolCall): string | undefined {
  return textOf(extraContent(signed, 'google').thought_signature);
}
