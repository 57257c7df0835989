import { type GatewayError, invalidRequest } from '../../../common/gateway.error.js';
import { ClientPaths } from './client-paths.js';

/** Limits the length of the response header with these names. */
const MAX_NAMED = 20;
const MAX_NAME_LENGTH = 64;

/** The caller's name of a field, safe in a response header. */
export function printable(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).replace(/[^\w.-]/g, '?');
}

/** Notes what the inner form cannot express, and the client's paths of its parts. */
export class Translation {
  readonly paths = new ClientPaths();
  /** The paths of parts that translated targets do not receive and do not need. */
  readonly dropped: string[] = [];
  /** The 400 for the first part that only targets with the Responses API can serve. */
  refusal: GatewayError | null = null;

  drop(path: string): void {
    if (this.dropped.length < MAX_NAMED) this.dropped.push(path);
  }

  refuse(path: string, remedy = 'Leave it out'): void {
    const message = `'${path}' is not supported by this model's provider. ${remedy}, or choose another model.`;
    this.refusal ??= invalidRequest('unsupported_parameter', path, message);
  }
}
