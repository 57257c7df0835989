import type { Dialect } from '../openai/dialect.js';
import { thoughtsOfToolCalls } from '../openai/messages.js';
import { PRICED_FIELDS } from '../shared/ignored-fields.js';

/**
 * Any OpenAI-compatible server without its own dialect. Its features are unknown, so requests are forwarded, except
 * fields that control the server or would send a call to another host or adapter.
 */
export const openAiCompatibleDialect: Dialect = {
  protocol: 'openai-compatible',
  echoesServiceTier: true,
  // Servers without base64 return numbers, which are converted.
  embeddings: { mostInputs: 2048, takesTokens: true, takesBase64: true },
  textCompletions: { takesSuffix: true, takesLists: true },
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
  pricedFields: PRICED_FIELDS,
  messageFields: { except: ['reasoning_details', 'extra_content', 'refusal'] },
  partFields: { except: [] },
  schemaMayLack: true,
  // Older servers only support this name.
  outputLimit: 'max_tokens',
  streamUsage: 'stream_options',
  developerRole: false,
  adaptMessage: thoughtsOfToolCalls,

  reasoningFields: ['reasoning_content', 'reasoning'],
  finishReasons: { abort: 502, network_error: 502, sensitive: 'content_filter' },
  errorOf: (body) => body.error ?? (body.object === 'error' ? body : undefined),
  cachedTokensField: 'cached_tokens',
};
