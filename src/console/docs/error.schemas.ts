import { type JsonSchema, object, orNull, text } from '../../common/json-schema.js';
import type { Response } from './document.types.js';
import { schemaRef } from './document.types.js';

export const errorSchemas: Record<string, JsonSchema> = {
  Error: object(
    {
      error: object(
        {
          message: text('The message for people; it contains no secret.'),
          type: text('The type: `invalid_request_error`, `permission_error`, `server_error`, …'),
          param: orNull(text('The path of the invalid field.')),
          code: orNull(text('For programs: `invalid_api_key`, `model_not_found`, `invalid_value`, …')),
        },
        ['message', 'type', 'param', 'code'],
      ),
    },
    ['error'],
    'Every error has this format. Include the `x-request-id` of the response when you report a problem.',
  ),
};

/** A response in the error format. */
export function errorResponse(description: string): Response {
  return {
    description,
    headers: { 'x-request-id': { description: 'The id of this request.', schema: { type: 'string' } } },
    content: { 'application/json': { schema: schemaRef('Error') } },
  };
}
