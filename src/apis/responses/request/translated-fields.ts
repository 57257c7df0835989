import { isDeniedField } from '../../../completions/dto/denied-fields.js';
import { RESPONSES_FIELDS } from './responses-request.js';
import type { ResponsesRequest } from './responses-request.types.js';
import { printable, type Translation } from './translation.js';

/** Values of `include` that translated targets support. */
const INCLUDED: ReadonlySet<string> = new Set(['reasoning.encrypted_content', 'message.output_text.logprobs']);

/** Known fields without effect on translated targets. */
const DROPPED = ['client_metadata', 'max_tool_calls'];

/** Notes the fields that translated targets do not receive: fields without effect, and unknown fields. */
export function noteFields(request: ResponsesRequest, translation: Translation): void {
  for (const field of DROPPED) if (request[field] != null) translation.drop(field);
  if (request.truncation === 'auto') translation.drop('truncation');
  for (const [index, entry] of (request.include ?? []).entries()) {
    if (!INCLUDED.has(entry)) translation.drop(`include[${index}]`);
  }
  for (const field of Object.keys(request)) {
    const isUnknown = !RESPONSES_FIELDS.has(field) && !isDeniedField(field);
    // Denied fields have been checked before and can only be null here.
    if (isUnknown && request[field] != null) translation.refuse(printable(field));
  }
}
