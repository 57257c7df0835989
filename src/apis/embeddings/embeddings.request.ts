import { integer, oneOf, text } from '../../completions/dto/checks.js';
import { nullable, required, shape } from '../../completions/dto/structure-checks.js';
import type { EmbeddingBody } from '../../upstreams/contract/native.body.js';
import { bodyObject, modelId, refuseFaults, sentFields } from '../shared/checked-body.js';
import { input, inputsOf } from './embedding-inputs.js';

export interface EmbeddingsRequest {
  readonly model: string;
  readonly body: EmbeddingBody;
}

/** Source: OpenAI's published OpenAPI document, `CreateEmbeddingRequest`. */
const embeddingsRequest = shape({
  model: required(modelId),
  input: required(input),
  dimensions: nullable(integer(1, 65_536)),
  encoding_format: nullable(oneOf('float', 'base64')),
  user: nullable(text()),
});

/** Not passed on as they are: upstreams need their own form of the inputs. */
const HANDLED = new Set(['model', 'stream', 'stream_options']);

/** Validates a parsed JSON body. Throws a `GatewayError` 400 that names the invalid field. */
export function toEmbeddingsRequest(body: unknown): EmbeddingsRequest {
  const fields = bodyObject(body);
  refuseFaults(fields, embeddingsRequest);
  return {
    model: fields.model as string,
    body: {
      api: 'embeddings',
      fields: sentFields(fields, HANDLED),
      headers: {},
      inputs: inputsOf(fields.input as Parameters<typeof inputsOf>[0]),
      offset: 0,
      dimensions: (fields.dimensions as number | null | undefined) ?? null,
      encoding: fields.encoding_format === 'base64' ? 'base64' : 'float',
    },
  };
}
