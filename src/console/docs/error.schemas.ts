import { type JsonSchema, orNull, text } from '../../common/json-schema.js';
import { answer, complete, type Response, schemaRef } from './document.types.js';

export const errorSchemas: Record<string, JsonSchema> = {
  Error: complete(
    {
      error: complete({
        message: text('The message for people; it contains no secret.'),
        type: text('The type: `invalid_request_error`, `permission_error`, `server_error`, …'),
        param: orNull(text('The path of the invalid field.')),
        code: orNull(text('For programs: `invalid_api_key`, `model_not_found`, `invalid_value`, …')),
      }),
    },
    'Every error has this format. Include the `x-request-id` of the response when you report a problem.',
  ),
};

/** A response in the error format. */
export function errorResponse(description: string): Response {
  const headers = { 'x-request-id': { description: 'The id of this request.', schema: text() } };
  return { ...answer(description, schemaRef('Error')), headers };
}
