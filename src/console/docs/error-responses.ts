import { type JsonSchema, orNull, text } from '../../common/json-schema.js';
import { answer, complete, type Operation, type Response, schemaRef } from './document.types.js';
import { ERROR_CODES } from './error-codes.js';

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

/** Possible errors of every operation of `/v1`. */
export const gatewayErrors: Operation['responses'] = ofStatuses(400, 401, 403, 404, 429, 500, 503);

/** Possible errors of every call of a model, in OpenAI's format. */
export const callErrors: Operation['responses'] = {
  ...gatewayErrors,
  ...ofStatuses(409, 413, 415, 422, 502, 504),
};

function ofStatuses(...statuses: number[]): Operation['responses'] {
  return Object.fromEntries(statuses.map((status) => [status, errorResponse(descriptionOf(status))]));
}

/** Each code with its meaning, one per line. */
function descriptionOf(status: number): string {
  const codes = ERROR_CODES.filter((error) => error.status === status);
  return codes.map(({ code, meaning }) => `- \`${code}\`: ${meaning}`).join('\n');
}
