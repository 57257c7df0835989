import { isDeniedField } from '../../../completions/dto/denied-fields.js';
import { RESPONSES_FIELDS } from './responses-request.fields.js';
import type { ResponsesRequest } from './responses-request.types.js';
import { printable, type Translation } from './translation.js';

/** Values of `include` that translated targets support. */
const INCLUDED: ReadonlySet<string> = new Set(['reasoning.encrypted_content', 'message.output_text.logprobs']);

/** Known fields without effect on translated targets, with a test for values that mean the default. */
const DROPPED: readonly (readonly [field: string, asksNothing: (value: unknown) => boolean])[] = [
  ['client_metadata', () => false],
  ['max_tool_calls', () => false],
  ['truncation', (value) => value === 'disabled'],
];

/** Notes the fields that translated targets do not receive: fields without effect, and unknown fields. */
export function noteFields(request: ResponsesRequest, translation: Translation): void {
  for (const [field, asksNothing] of DROPPED) {
    const value = request[field];
    if (value != null && !asksNothing(value)) translation.drop(field);
  }
  for (const [index, entry] of (request.include ?? []).entries()) {
    if (!INCLUDED.has(entry)) translation.drop(`include[${index}]`);
  }
  for (const field of Object.keys(request)) {
    const isUnknown = !RESPONSES_FIELDS.has(field) && !isDeniedField(field);
    // Denied fields have been checked before and can only be null here.
    if (isUnknown && request[field] != null) translation.refuse(printable(field));
  }
}
