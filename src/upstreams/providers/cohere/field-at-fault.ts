import type { ChatCompletionRequest } from '../../contract/chat.types.js';

/** How the API's messages name a field, and what the caller calls it; the first that matches. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/\btemperature\b/, 'temperature'],
  [/\bfrequency_penalty\b/, 'frequency_penalty'],
  [/\bpresence_penalty\b/, 'presence_penalty'],
  [/\bstop_sequences\b/, 'stop'],
  [/(?:^|: )['"`]?p['"`]? (?:must|is|cannot)\b/, 'top_p'],
  [/(?:^|: )['"`]?k['"`]? (?:must|is|cannot)\b/, 'top_k'],
  [/\bseed\b/, 'seed'],
  [/\b(?:thinking|token_budget)\b/, 'reasoning_effort'],
  [/\b(?:response_format|json_schema)\b|^schema must\b/, 'response_format'],
  [/\btool_choice\b/, 'tool_choice'],
  [/\btool (?:call )?ids?\b|\btool message\b/, 'messages'],
  [/\btools?\b/, 'tools'],
  [/\b(?:messages?|image|images|role|turn)\b/, 'messages'],
];

/** The caller's field that an error message names. */
export function fieldAtFault(message: string, request: ChatCompletionRequest): string | null {
  if (/\bmax[_ ]tokens\b/.test(message))
    return request.max_completion_tokens == null ? 'max_tokens' : 'max_completion_tokens';
  return FIELDS.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}
