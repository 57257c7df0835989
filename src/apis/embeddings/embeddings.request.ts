import { invalidRequest } from '../../common/gateway.error.js';
import { integer, oneOf, text } from '../../completions/dto/checks.js';
import { isDeniedField } from '../../completions/dto/denied-fields.js';
import { type Fault, faultAt, faultError, missing } from '../../completions/dto/fault.js';
import { isObject, type JsonObject } from '../../upstreams/contract/json.js';
import type { EmbeddingBody } from '../../upstreams/contract/native.body.js';
import { EXPECTED_INPUT, inputsOf } from './embedding-inputs.js';

export interface EmbeddingsRequest {
  readonly model: string;
  readonly body: EmbeddingBody;
}

const MODEL = text({ min: 1, max: 256, expected: 'a model id of 1 to 256 characters' });
const DIMENSIONS = integer(1, 65_536);
const ENCODING = oneOf('float', 'base64');
const USER = text();

/** Not passed on as they are: upstreams need their own form of the inputs. */
const HANDLED = new Set(['model', 'stream', 'stream_options']);

/**
 * Validates a parsed JSON body. Throws a `GatewayError` 400 that names the invalid field. Source: OpenAI's published
 * OpenAPI document, `CreateEmbeddingRequest`.
 */
export function toEmbeddingsRequest(body: unknown): EmbeddingsRequest {
  if (!isObject(body)) throw invalidRequest('invalid_type', null, 'The request body must be a JSON object.');
  const { model, input, dimensions, encoding_format: encoding, user } = body;
  if (model === undefined) throw faultError(faultAt('model', missing(MODEL.expected)));
  if (input === undefined) throw faultError(faultAt('input', missing(EXPECTED_INPUT)));
  refuse('model', MODEL.faultIn(model));
  const inputs = inputsOf(input);
  if ('code' in inputs) throw faultError(faultAt('input', inputs));
  refuse('dimensions', dimensions == null ? null : DIMENSIONS.faultIn(dimensions));
  refuse('encoding_format', encoding == null ? null : ENCODING.faultIn(encoding));
  refuse('user', user == null ? null : USER.faultIn(user));
  return {
    model: model as string,
    body: {
      api: 'embeddings',
      fields: sentFields(body),
      headers: {},
      inputs: inputs.list,
      offset: 0,
      dimensions: (dimensions as number | null | undefined) ?? null,
      encoding: encoding === 'base64' ? 'base64' : 'float',
    },
  };
}

function sentFields(body: Readonly<JsonObject>): JsonObject {
  const sent = Object.entries(body).filter(
    ([name, value]) => value !== null && !HANDLED.has(name) && !isDeniedField(name),
  );
  return Object.fromEntries(sent);
}

function refuse(name: string, fault: Fault | null): void {
  if (fault) throw faultError(faultAt(name, fault));
}
