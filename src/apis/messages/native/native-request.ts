import type { Request } from 'express';
import { invalidRequest } from '../../../common/gateway.error.js';
import type { JsonObject } from '../../../upstreams/contract/json.js';
import type { NativeBody } from '../../../upstreams/contract/native.body.js';
import { isRemovedField } from '../request/denied.js';
import type { MessagesRequest } from '../request/messages.types.js';
import { withoutOwnThinking } from './own-thinking.js';

const VERSION = 'anthropic-version';
const BETAS = 'anthropic-beta';
/** Safe as the value of a request header. */
const HEADER = /^[\x20-\x7e]{1,4096}$/;

/** The client's request, unchanged except for denied fields and reasoning that only other providers read. */
export function toNativeBody(request: MessagesRequest, headers: NativeBody['headers']): NativeBody {
  const fields: JsonObject = {};
  for (const name of Object.keys(request)) if (!isRemovedField(name)) fields[name] = request[name];
  fields.messages = withoutOwnThinking(request.messages);
  return { api: 'messages', fields, headers };
}

/** Throws a 400 without `anthropic-version`. */
export function nativeHeaders({ headers }: Pick<Request, 'headers'>): NativeBody['headers'] {
  const version = headers[VERSION];
  if (version === undefined) {
    const message = "Missing required header 'anthropic-version'. Please send 'anthropic-version: 2023-06-01'.";
    throw invalidRequest('missing_required_parameter', VERSION, message);
  }
  const betas = headers[BETAS];
  return { [VERSION]: value(VERSION, version), ...(betas !== undefined && { [BETAS]: value(BETAS, betas) }) };
}

function value(name: string, sent: string | string[]): string {
  const text = Array.isArray(sent) ? sent.join(',') : sent;
  if (HEADER.test(text)) return text;
  throw invalidRequest('invalid_value', name, `Invalid value for the header '${name}': expected ASCII text.`);
}
