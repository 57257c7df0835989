import { type GatewayError, invalidRequest } from '../../../common/gateway.error.js';
import { ClientPaths } from './client-paths.js';

/** The names go into a response header. */
const MAX_NAMED = 20;
const LONGEST_NAME = 64;

/** The caller's name of a field, safe in a response header. */
export function printable(name: string): string {
  return name.slice(0, LONGEST_NAME).replace(/[^\w.-]/g, '?');
}

/** Collects what the inner form cannot express, and where its parts come from. */
export class Translation {
  readonly paths = new ClientPaths();
  /** The first paths of what translated targets do not get, and do not need. */
  readonly dropped: string[] = [];
  /** The 400 for the first thing that only targets with the Responses API can serve. */
  refusal: GatewayError | null = null;

  drop(path: string): void {
    if (this.dropped.length < MAX_NAMED) this.dropped.push(path);
  }

  refuse(path: string, remedy = 'Leave it out'): void {
    const message = `'${path}' is not supported by this model's provider. ${remedy}, or choose another model.`;
    this.refusal ??= invalidRequest('unsupported_parameter', path, message);
  }
}
