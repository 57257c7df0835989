import type { Fault } from '../../../completions/dto/fault.js';
import { bodyObject, refuseFaults } from '../../shared/checked-body.js';
import { refuseDenied } from './denied.js';
import { responsesRequest } from './responses-request.fields.js';
import type { ResponsesRequest } from './responses-request.types.js';

export interface ReadRequest {
  readonly request: ResponsesRequest;
  /** The first value that only some providers know. */
  readonly foreign: Fault | null;
}

/** Validates a parsed JSON body, unchanged. Throws a `GatewayError` 400 that names the invalid field. */
export function toResponsesRequest(body: unknown): ReadRequest {
  const fields = bodyObject(body);
  refuseDenied(fields);
  return { foreign: refuseFaults(fields, responsesRequest), request: fields as ResponsesRequest };
}
