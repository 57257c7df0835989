import type { AssistantMessage, ToolCall } from '../../contract/chat.types.js';
import { textOf } from '../../contract/json.js';
import { extraContent } from '../shared/extra-content.js';

/** Google's documented placeholder for a missing signature of a function call. */
export const NO_SIGNATURE = 'skip_thought_signature_validator';

/** Google's OpenAI-compatible API uses the same field for the signature. */
interface SignedContent {
  extra_content: { google: { thought_signature: string } };
}

export function signedContent(signature: string): SignedContent {
  return { extra_content: { google: { thought_signature: signature } } };
}

export function signatureOf(signed: AssistantMessage | ToolCall): string | undefined {
  return textOf(extraContent(signed, 'google').thought_signature);
}
