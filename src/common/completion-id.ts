import { flatText } from './flat-text.js';

const REQUEST = 'req_';
const COMPLETION = 'chatcmpl-';

/** The completion id of a request. Both ids share their end, so that either finds the call in the ledger by its key. */
export function completionIdOf(requestId: string): string {
  return requestId.startsWith(REQUEST) ? flatText(COMPLETION + requestId.slice(REQUEST.length)) : requestId;
}
