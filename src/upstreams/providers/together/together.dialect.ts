import { isObject, type JsonObject } from '../../contract/json.js';
import type { Dialect } from '../openai/dialect.js';
import { supporting } from '../shared/capabilities.js';
import { COMMON_FIELDS } from '../shared/request-fields.js';

/** A stream reports usage with the finish reason; log probabilities have their own format. */
export const togetherDialect: Dialect = {
  protocol: 'together',
  embeddings: { mostInputs: 2048, takesTokens: false, takesBase64: false },
  textCompletions: { takesSuffix: false, takesLists: false },
  capabilities: supporting(['json_object', 'json_schema', 'multiple_choices', 'image_address'], {
    forwarding: ['audio_input', 'logit_bias'],
  }),
  fields: {
    only: [
      ...COMMON_FIELDS,
      'chat_template_kwargs',
      'logit_bias',
      'min_p',
      'n',
      'reasoning',
      'repetition_penalty',
      'seed',
      'top_k',
    ],
  },
  messageFields: { only: ['role', 'content', 'name', 'tool_calls', 'tool_call_id'] },
  // Package together: only user content may be a list.
  textRoles: ['system', 'assistant', 'tool'],
  // Images have no detail and functions no strict mode.
  imageDetails: [],
  schemaMayLack: true,
  adaptFunction: withoutStrict,
  adaptPart: audioPart,
  efforts,
  adjust(body) {
    // Package together: only a list.
    if (typeof body.stop === 'string') body.stop = [body.stop];
    // A separate field disables thinking.
    if (body.reasoning_effort !== 'none') return;
    delete body.reasoning_effort;
    body.reasoning ??= { enabled: false };
  },
  outputLimit: 'max_tokens',
  streamUsage: 'stream_options',
  developerRole: false,

  reasoningFields: ['reasoning', 'reasoning_content'],
  cachedTokensField: 'cached_tokens',
};

/** Package together: low, medium and high; DeepSeek V4 has more, and GPT-OSS always thinks. */
function efforts(model: string): readonly string[] {
  if (/deepseek-v4/i.test(model)) return ['none', 'low', 'medium', 'high', 'xhigh', 'max'];
  return /gpt-oss/i.test(model) ? ['low', 'medium', 'high'] : ['none', 'low', 'medium', 'high'];
}

function withoutStrict(described: JsonObject): JsonObject {
  const { strict, ...others } = described;
  return strict === undefined ? described : others;
}

/** Formats other than WAV are sent as a URL (`AudioURL` of the package together-ai). */
function audioPart(part: JsonObject): JsonObject {
  const { input_audio: audio } = part;
  if (!isObject(audio) || audio.format === 'wav') return part;
  return { type: 'audio_url', audio_url: { url: `data:audio/mpeg;base64,${audio.data}` } };
}
