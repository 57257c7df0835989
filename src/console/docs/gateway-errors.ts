import type { Operation } from './document.types.js';
import { errorResponse } from './error.schemas.js';
import { ERROR_CODES } from './error-codes.js';

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
