import type { GatewayError } from '../../../common/gateway.error.js';

/** Maps an error to the closest `ResponseErrorCode` of OpenAI's published document. */
export function failureOf({ status, body }: GatewayError): { code: string; message: string } {
  const code = status === 429 ? 'rate_limit_exceeded' : status < 500 ? 'invalid_prompt' : 'server_error';
  return { code, message: body.message };
}

/** The members of an `error` event. */
export function errorFields({ body }: GatewayError): string {
  const { code, message, param } = body;
  return JSON.stringify({ code, message, param }).slice(1, -1);
}
