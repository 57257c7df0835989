import type { Dialect } from '../openai/dialect.js';
import { thoughtsUnder } from '../openai/messages.js';
import { supporting } from '../shared/capabilities.js';
import { COMMON_FIELDS } from '../shared/request-fields.js';

/** Ollama's OpenAI-compatible API, self-hosted or cloud. It ignores unknown fields. */
export const ollamaDialect = {
  protocol: 'ollama',
  path: '/v1/chat/completions',
  entryKeys: { responses: { isFlag: true } },
  responses: { path: '/v1/responses', onRequest: true },
  embeddings: { path: '/v1/embeddings', mostInputs: 2048, takesTokens: false, takesBase64: false },
  textCompletions: { path: '/v1/completions', takesSuffix: true, takesLists: false },
  capabilities: supporting(['json_object', 'json_schema'], { forwarding: ['logprobs', 'audio_input'] }),
  fields: { only: [...COMMON_FIELDS, 'logprobs', 'reasoning', 'seed', 'top_logprobs'] },
  messageFields: { only: ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'reasoning'] },
  // Each part becomes a separate message (openai/openai.go).
  textRoles: ['system', 'user', 'assistant', 'tool'],
  // "invalid reasoning value: 'minimal' (must be "high", "medium", "low", "max", or "none")".
  efforts: () => ['none', 'low', 'medium', 'high', 'max'],
  outputLimit: 'max_tokens',
  streamUsage: 'stream_options',
  developerRole: false,
  adaptMessage: thoughtsUnder('reasoning'),
  adjust(body) {
    // Not all versions support `tool_choice`.
    if (body.tool_choice === 'none') delete body.tools;
  },

  reasoningFields: ['reasoning'],
} as const satisfies Dialect;
