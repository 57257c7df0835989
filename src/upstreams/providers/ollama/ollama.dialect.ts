import type { Dialect } from '../openai/dialect.js';
import { thoughtsUnder } from '../openai/thoughts.js';

/** Ollama's OpenAI-compatible API, self-hosted or cloud. It ignores unknown fields. */
export const ollamaDialect = {
  protocol: 'ollama',
  path: '/v1/chat/completions',
  entryKeys: { responses: { isFlag: true } },
  responses: { path: '/v1/responses', onRequest: true },
  embeddings: { path: '/v1/embeddings', mostInputs: 2048, takesTokens: false, takesBase64: false },
  textCompletions: { path: '/v1/completions', takesSuffix: true, takesLists: false },
  capabilities: {
    json_object: true,
    json_schema: true,
    multiple_choices: false,
    audio_output: false,
    file_input: false,
    image_address: false,
    custom_tools: false,
    functions: false,
    logit_bias: false,
    web_search: false,
  },
  fields: {
    only: [
      'frequency_penalty',
      'logprobs',
      'presence_penalty',
      'reasoning',
      'reasoning_effort',
      'response_format',
      'seed',
      'stop',
      'temperature',
      'tool_choice',
      'tools',
      'top_logprobs',
      'top_p',
    ],
  },
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
