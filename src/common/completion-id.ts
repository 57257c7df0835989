import { flatText } from './flat-text.js';

const REQUEST = 'req_';
const COMPLETION = 'chatcmpl-';
/** Ids of answers of other APIs. */
const ANSWERS = ['resp_', 'msg_'];

/** The completion id of a request. Both ids share their end, so that either finds the call in the ledger by its key. */
export function completionIdOf(requestId: string): string {
  return requestId.startsWith(REQUEST) ? flatText(COMPLETION + requestId.slice(REQUEST.length)) : requestId;
}

/** The end of a completion id, which all ids of its call share. */
export function endOfId(completionId: string): string {
  return completionId.startsWith(COMPLETION) ? completionId.slice(COMPLETION.length) : completionId;
}

/** The completion id of a request, or of the answer of any API. */
export function completionIdOfAny(id: string): string {
  const prefix = ANSWERS.find((one) => id.startsWith(one));
  return prefix === undefined ? completionIdOf(id) : COMPLETION + id.slice(prefix.length);
}
