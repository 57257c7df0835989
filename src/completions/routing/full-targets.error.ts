import { GatewayError } from '../../common/gateway.error.js';

const UNKNOWN_MS = 1000;

/** 429: every target of a model is full. `wait`: ms until one may have room; infinite if unknown. */
export function fullTargetsError(model: string, wait: number): GatewayError {
  const ms = Number.isFinite(wait) ? Math.max(1, Math.ceil(wait)) : UNKNOWN_MS;
  const seconds = Math.ceil(ms / 1000);
  const message = `The providers of the model '${model}' are at capacity. Please try again in ${seconds} s.`;
  const headers = { 'retry-after': String(seconds), 'retry-after-ms': String(ms) };
  return new GatewayError(429, { message, type: 'requests', param: null, code: 'rate_limit_exceeded' }, headers);
}
