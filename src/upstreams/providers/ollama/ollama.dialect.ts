import type { Dialect } from '../openai/dialect.js';
import { thoughtsUnder } from '../openai/thoughts.js';

/** Ollama's OpenAI surface, of a server of one's own or of its cloud. It ignores fields that it does not know. */
export const ollamaDialect: Dialect = {
  protocol: 'ollama',
  path: '/v1/chat/completions',
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
  // It makes a message of each part (openai/openai.go).
  textRoles: ['system', 'user', 'assistant', 'tool'],
  // "invalid reasoning value: 'minimal' (must be "high", "medium", "low", "max", or "none")".
  efforts: () => ['none', 'low', 'medium', 'high', 'max'],
  outputLimit: 'max_tokens',
  streamUsage: 'stream_options',
  developerRole: false,
  adaptMessage: thoughtsUnder('reasoning'),
  adjust(body) {
    // Not every version heeds `tool_choice`, but none calls a tool that it is not told of.
    if (body.tool_choice === 'none') delete body.tools;
  },

  reasoningFields: ['reasoning'],
};
