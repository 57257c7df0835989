import type { AssistantMessage, ToolCall } from '../../contract/chat.types.js';
import { textOf } from '../../contract/json.js';
import { extraContent } from '../shared/extra-content.js';

/** Google's documented stand-in for the signature of a function call that has none, or lost it on the way. */
export const NO_SIGNATURE = 'skip_thought_signature_validator';

/** A thought signature as an extra field of a tool call or a message, where Google's OpenAI-compatible API has it too. */
interface SignedContent {
  extra_content: { google: { thought_signature: string } };
}

export function signedContent(signature: string): SignedContent {
  return { extra_content: { google: { thought_signature: signature } } };
}

/** The signature that a tool call or a message of the history brings back. */
export function signatureOf(signed: AssistantMessage | ToolCall): string | undefined {
  return textOf(extraContent(signed, 'google').thought_signature);
}
