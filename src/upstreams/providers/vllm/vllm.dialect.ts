import type { Dialect } from '../openai/dialect.js';
import { thoughtsUnder } from '../openai/messages.js';
import { supporting } from '../shared/capabilities.js';
import { PRICED_FIELDS } from '../shared/ignored-fields.js';

/** vLLM accepts OpenAI's format and many fields of its own. Fields that control the server are left out. */
export const vllmDialect = {
  protocol: 'vllm',
  entryKeys: { responses: { isFlag: true } },
  responses: { onRequest: true },
  embeddings: { mostInputs: 2048, takesTokens: true, takesBase64: true },
  // "suffix is not currently supported".
  textCompletions: { takesSuffix: false, takesLists: true, takesZero: true },
  capabilities: supporting(
    ['json_object', 'json_schema', 'multiple_choices', 'logprobs', 'image_address', 'logit_bias'],
    { forwarding: ['audio_input', 'audio_output'] },
  ),
  fields: { except: ['cache_salt', 'chat_template', 'kv_transfer_params', 'priority', 'request_id'] },
  pricedFields: PRICED_FIELDS,
  // Chat templates only read the content, so refusals move there.
  messageFields: { except: ['reasoning_details', 'extra_content', 'cache_control', 'refusal', 'images'] },
  // Accepts its own parts as well (`video_url`, `audio_url`).
  partFields: { except: ['cache_control', 'prompt_cache_breakpoint'] },
  // The older of two supported names.
  outputLimit: 'max_tokens',
  streamUsage: 'stream_options',
  developerRole: false,
  adaptMessage: thoughtsUnder('reasoning'),

  // The second was the name until version 0.11.
  reasoningFields: ['reasoning', 'reasoning_content'],
  finishReasons: { abort: 502 },
  errorOf: (body) => body.error ?? (body.object === 'error' ? body : undefined),
} as const satisfies Dialect;
