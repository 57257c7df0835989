import { flag, integer, oneOf, text } from './checks.js';
import { textContent } from './message.checks.js';
import { anyObject, list, nullable, optional, record, required, shape, tagged, textOr } from './structure.checks.js';
import { identifier, jsonSchema } from './tool.checks.js';

export const stop = textOr(list(text(), 'a list of at most 4 strings', 0, 4));

export const streamOptions = shape({
  include_usage: optional(flag, 'Send token usage in a last chunk, with `choices: []`.'),
  include_obfuscation: optional(flag, 'Pad chunks to equal length, where the provider supports it.'),
});

export const responseFormat = tagged(
  'type',
  {
    text: anyObject,
    json_object: anyObject,
    json_schema: shape({
      json_schema: required(
        shape({
          name: required(identifier),
          description: optional(text()),
          schema: optional(jsonSchema, 'JSON Schema of the answer.'),
          strict: nullable(flag, 'Whether the answer must follow it exactly.'),
        }),
      ),
    }),
  },
  'an object that names a format',
);

export const logitBias = record(integer(-100, 100), 'an object of token ids and integers from -100 to 100');

export const metadata = record(text({ max: 512 }), 'an object of at most 16 strings', {
  maxKeys: 16,
  maxKeyLength: 64,
});

export const modalities = list(oneOf('text', 'audio', 'image'), "a list of 'text', 'audio' and 'image'");

export const audioOutput = shape({
  voice: required(textOr(shape({ id: required(text()) }, 'an object that names a voice'))),
  format: required(oneOf('wav', 'aac', 'mp3', 'flac', 'opus', 'pcm16')),
});

export const prediction = shape({ type: required(oneOf('content')), content: required(textContent) });

export const webSearchOptions = shape({
  user_location: nullable(
    shape({
      type: required(oneOf('approximate')),
      approximate: required(
        shape({
          country: optional(text()),
          region: optional(text()),
          city: optional(text()),
          timezone: optional(text()),
        }),
      ),
    }),
  ),
  search_context_size: optional(oneOf('low', 'medium', 'high')),
});

const moderationConfig = nullable(shape({ mode: required(oneOf('score', 'block')) }));

export const moderation = shape({
  model: required(text()),
  policy: nullable(shape({ input: moderationConfig, output: moderationConfig })),
});

export const promptCacheOptions = shape({
  ttl: optional(oneOf('30m', '12h')),
  mode: optional(oneOf('implicit', 'explicit')),
});
