import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { invalidRequest } from './gateway.error.js';
import { unsupportedMediaType } from './gateway.errors.js';
import { readBody } from './request-body.js';

/** Bytes; provided by the application. */
export const BODY_LIMIT = Symbol('BODY_LIMIT');

/**
 * Reads the JSON body. It stands behind the guard that authenticates: a request without a valid key is refused before its
 * body is read. (A guard, since an interceptor costs each request several Observables and an async resource.)
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  constructor(@Inject(BODY_LIMIT) private readonly limit: number) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<Request>();
    if (!hasBody(request)) throw missingBody();
    if (!isJsonInUtf8(request)) throw unsupportedMediaType();
    const body = await readBody(request, this.limit);
    if (body.length === 0) throw missingBody();
    request.body = parse(body);
    return true;
  }
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isJsonInUtf8({ headers }: Request): boolean {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/json') return false;
  return parameters.every((parameter) => !/^\s*charset\s*=/.test(parameter) || /=\s*"?utf-?8"?\s*$/.test(parameter));
}

/** The parser's own message quotes the body, so it is never passed on. A byte order mark is no part of the JSON. */
function parse(body: Buffer): unknown {
  const text = body.toString();
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch {
    throw invalidRequest('invalid_json', null, 'The request body is no valid JSON.');
  }
}

function missingBody() {
  return invalidRequest('invalid_json', null, 'The request has no body. Send a JSON object as `application/json`.');
}
