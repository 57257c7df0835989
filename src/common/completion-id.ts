import { flatText } from './flat-text.js';

const REQUEST = 'req_';
const COMPLETION = 'chatcmpl-';

/**
 * The id of the completion that a request may have led to. It ends as the request's does, so that either of them finds
 * the call in the ledger by its key.
 */
export function completionIdOf(requestId: string): string {
  return requestId.startsWith(REQUEST) ? flatText(COMPLETION + requestId.slice(REQUEST.length)) : requestId;
}
