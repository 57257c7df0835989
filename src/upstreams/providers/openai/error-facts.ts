import { isObject, type JsonObject, textOf } from '../../contract/json.js';

/** The content of an error body in any of its formats. */
export interface ErrorFacts {
  message?: string | undefined;
  type?: string | undefined;
  code?: string | undefined;
  param?: string | undefined;
  /** An HTTP status in the body; inside a stream there is no other. */
  status?: number | undefined;
}

/**
 * Reads an error body: `{error: {…}}`, `{error: "…"}`, a flat `{message, …}`, `{detail: "…"}` or `detail` with a
 * validator's list of errors, any of these in a list, or plain text.
 */
export function errorFacts(body: unknown): ErrorFacts {
  if (typeof body === 'string') return { message: body };
  if (Array.isArray(body)) return errorFacts(body[0]);
  if (!isObject(body)) return {};
  const error = isObject(body.error) ? body.error : body;
  const { detail } = isObject(error.message) ? error.message : error;
  const fault = Array.isArray(detail) ? faultOf(detail[0]) : {};
  return {
    message: textOf(error.message) ?? textOf(body.error) ?? textOf(detail) ?? fault.message,
    param: textOf(error.param) ?? fault.param,
    type: textOf(error.type),
    code: codeOf(error) ?? codeOf(body),
    status: statusOf(error) ?? statusOf(body),
  };
}

/** A validator's error: `{loc: ["body", "messages", 0, "user", "name"], msg: "…"}`. */
function faultOf(fault: unknown): Pick<ErrorFacts, 'message' | 'param'> {
  if (!isObject(fault)) return {};
  const param = Array.isArray(fault.loc) ? pathOf(fault.loc) : undefined;
  const message = textOf(fault.msg);
  return { param, message: param && message ? `${param}: ${message}` : message };
}

function pathOf(location: readonly unknown[]): string | undefined {
  let path = '';
  for (const step of location) {
    if (typeof step === 'number') path += `[${step}]`;
    else if (path !== '') path += `.${step}`;
    else if (step !== 'body') path = String(step);
  }
  return path || undefined;
}

function codeOf({ code }: JsonObject): string | undefined {
  return typeof code === 'number' ? String(code) : textOf(code);
}

function statusOf(error: JsonObject): number | undefined {
  for (const value of [error.status_code, error.raw_status_code, error.status, error.code]) {
    const status = typeof value === 'string' ? Number(value) : value;
    if (typeof status === 'number' && status >= 400 && status < 600) return status;
  }
  return undefined;
}
