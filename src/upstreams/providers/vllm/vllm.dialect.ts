import type { Dialect } from '../openai/dialect.js';
import { thoughtsUnder } from '../openai/thoughts.js';

/** A vLLM server. It takes the format and much of its own; what steers the server itself is not the caller's to say. */
export const vllmDialect: Dialect = {
  protocol: 'vllm',
  capabilities: {
    json_object: true,
    json_schema: true,
    multiple_choices: true,
    logprobs: true,
    file_input: false,
    image_address: true,
    custom_tools: false,
    functions: false,
    logit_bias: true,
    web_search: false,
  },
  fields: { except: ['cache_salt', 'chat_template', 'kv_transfer_params', 'priority', 'request_id'] },
  // A chat template reads the content alone: what was refused goes there.
  messageFields: { except: ['reasoning_details', 'extra_content', 'cache_control', 'refusal'] },
  // Parts of its own (`video_url`, `audio_url`) are taken too.
  partFields: { except: ['cache_control', 'prompt_cache_breakpoint'] },
  // The older of two names that it takes.
  outputLimit: 'max_tokens',
  streamUsage: 'stream_options',
  developerRole: false,
  adaptMessage: thoughtsUnder('reasoning'),

  // The second is what it was called until version 0.11.
  reasoningFields: ['reasoning', 'reasoning_content'],
  finishReasons: { abort: 502 },
  errorOf: (body) => body.error ?? (body.object === 'error' ? body : undefined),
};
