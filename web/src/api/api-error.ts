/** An error response of the console's API, with the gateway's message. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    message: string,
    readonly code: string | null,
    /** The field of the request that is wrong. */
    readonly param: string | null,
    /** Finds the request in the gateway's log. */
    readonly requestId: string | null,
    /** Seconds to wait before the next attempt, where the gateway names them. */
    readonly retryAfter: number | null,
  ) {
    super(message);
  }
}

/** The error in a response's body and headers, which a proxy may have written. */
export function toApiError(response: Response, body: unknown): ApiError {
  const { message, code, param } = errorOf(body);
  const retryAfter = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  return new ApiError(
    response.status,
    textOf(message) ?? `The gateway answered with status ${response.status}.`,
    textOf(code),
    textOf(param),
    response.headers.get('x-request-id'),
    Number.isNaN(retryAfter) ? null : retryAfter,
  );
}

/** Messages of browsers for a request without a response; other TypeErrors are bugs in the page. */
const NO_ANSWER = /fetch|network|load failed/i;

/** The message of any error, for people. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError && NO_ANSWER.test(error.message)) {
    return 'The gateway cannot be reached. Check your connection and try again.';
  }
  if (error instanceof TypeError)
    return 'This page failed to load. Reload it; if it fails again, tell an administrator.';
  return error instanceof Error && error.message ? error.message : 'Something went wrong.';
}

function errorOf(body: unknown): Record<string, unknown> {
  const error = isObject(body) ? body.error : undefined;
  return isObject(error) ? error : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
