import { invalidRequest } from '../../../common/gateway.error.js';
import { type Fault, faultAt, faultError, missing } from '../../../completions/dto/fault.js';
import { isJsonObject } from '../../../completions/dto/structure-checks.js';
import { refuseDenied } from './denied.js';
import { RESPONSES_FIELDS } from './responses-request.fields.js';
import type { ResponsesRequest } from './responses-request.types.js';

export interface ReadRequest {
  readonly request: ResponsesRequest;
  /** The first value that only some providers know. */
  readonly foreign: Fault | null;
}

/** Validates a parsed JSON body, unchanged. Throws a `GatewayError` 400 that names the invalid field. */
export function toResponsesRequest(body: unknown): ReadRequest {
  if (!isJsonObject(body)) throw invalidRequest('invalid_type', null, 'The request body must be a JSON object.');
  refuseDenied(body);
  let foreign: Fault | null = null;
  for (const [name, { check, required }] of RESPONSES_FIELDS) {
    const value = body[name];
    if (value === undefined && required) throw faultError(faultAt(name, missing(check.expected)));
    if (value === undefined || (value === null && !required)) continue;
    const fault = check.faultIn(value);
    if (fault && !fault.isForeign) throw faultError(faultAt(name, fault));
    if (fault) foreign ??= faultAt(name, fault);
  }
  return { request: body as ResponsesRequest, foreign };
}
