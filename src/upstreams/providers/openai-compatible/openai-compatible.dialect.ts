import type { Dialect } from '../openai/dialect.js';
import { thoughtsOfToolCalls } from '../openai/thoughts.js';

/**
 * Any server of OpenAI's format that has no dialect of its own here. Nothing is known of what it can do, so what the
 * caller sends is forwarded, but for what steers a server itself, or would send a call to another host or adapter.
 */
export const openAiCompatibleDialect: Dialect = {
  protocol: 'openai-compatible',
  capabilities: {},
  fields: {
    except: [
      'bootstrap_host',
      'bootstrap_port',
      'bootstrap_room',
      'cache_salt',
      'chat_template',
      'kv_transfer_params',
      'lora_path',
      'priority',
      'request_id',
    ],
  },
  messageFields: { except: ['reasoning_details', 'extra_content', 'refusal'] },
  partFields: { except: [] },
  schemaMayLack: true,
  // The name that the oldest servers know too.
  outputLimit: 'max_tokens',
  streamUsage: 'stream_options',
  developerRole: false,
  adaptMessage: thoughtsOfToolCalls,

  reasoningFields: ['reasoning_content', 'reasoning'],
  finishReasons: { abort: 502, network_error: 502, sensitive: 'content_filter' },
  errorOf: (body) => body.error ?? (body.object === 'error' ? body : undefined),
  cachedTokensField: 'cached_tokens',
};
