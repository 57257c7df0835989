import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type ValidationError,
  ValidationPipe,
} from '@nestjs/common';
import type { Request } from 'express';
import type { Permission } from '../../accounts/permissions.js';
import { GatewayError, invalidRequest } from '../../common/gateway.error.js';
import type { ClockService } from '../../database/clock.service.js';
import { JsonBodyReader } from '../../http/body/json-body.reader.js';
import { BodyBudget } from '../../http/body/request-body.js';

/** Validates requests of the console's API with the DTO classes; unknown fields are refused by name. */
export function consoleValidation(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    validationError: { target: false },
    exceptionFactory: toGatewayError,
  });
}

function toGatewayError(errors: ValidationError[]): GatewayError {
  const { path, message } = firstFault(errors, '');
  return invalidRequest('invalid_value', path || null, message);
}

function firstFault([error]: ValidationError[], parent: string): { path: string; message: string } {
  if (!error) return { path: parent, message: 'The request is not valid.' };
  const path = /^\d+$/.test(error.property)
    ? `${parent}[${error.property}]`
    : [parent, error.property].filter(Boolean).join('.');
  if (!error.constraints) return firstFault(error.children ?? [], path);
  return { path, message: messageOf(error, path) };
}

/**
 * Reports the constraint that is written first, the type's, before those that depend on it; decorators run in reverse
 * order.
 */
function messageOf({ constraints = {}, value }: ValidationError, path: string): string {
  if ('whitelistValidation' in constraints) return `${path} is not a known field: leave it out.`;
  if (value === undefined) return `${path} is required.`;
  return `${Object.values(constraints).at(-1)}.`;
}

const MAX_FIELDS = 30;
/** The field with an object of plain values. */
const GROUP = 'limits';
/** The field with a list of such objects. */
const ROWS = 'users';
export const MAX_ROWS = 200;

/**
 * Refuses bodies that no request of the console's API has: all of them are objects with a few fields, each a plain
 * value or a list of those; only limits are in an object of their own, and many users in a list of objects. Runs before
 * the validation with DTO classes, which takes seconds for thousands of fields.
 */
function checkBodyShape(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest('invalid_type', null, 'The request body must be a JSON object.');
  }
  const fields = Object.entries(body);
  checkCount(fields, null);
  for (const [name, value] of fields) {
    if (name === GROUP && isGroup(value)) checkGroup(GROUP, value);
    else if (name === ROWS && Array.isArray(value)) checkRows(value);
    else checkField(name, value);
  }
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkGroup(group: string, value: object): void {
  const fields = Object.entries(value);
  checkCount(fields, group);
  for (const [name, item] of fields) checkField(`${group}.${name}`, item);
}

function checkRows(rows: readonly unknown[]): void {
  if (rows.length > MAX_ROWS) {
    throw invalidRequest('invalid_value', ROWS, `${ROWS} has more than ${MAX_ROWS} items: send several requests.`);
  }
  for (const [at, row] of rows.entries()) {
    if (isGroup(row)) checkGroup(`${ROWS}[${at}]`, row);
    else throw invalidRequest('invalid_type', `${ROWS}[${at}]`, `${ROWS}[${at}] must be an object.`);
  }
}

function checkCount({ length }: readonly unknown[], field: string | null): void {
  if (length <= MAX_FIELDS) return;
  throw invalidRequest('invalid_value', field, `${field ?? 'The request body'} has more than ${MAX_FIELDS} fields.`);
}

function checkField(name: string, value: unknown): void {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (items.some((item) => typeof item === 'object' && item !== null)) {
    throw invalidRequest('invalid_type', name, `${name} must be a plain value or a list of plain values.`);
  }
  if (items.some((item) => typeof item === 'string' && !isStorable(item))) {
    throw invalidRequest('invalid_value', name, `${name} must be text without U+0000 and unpaired surrogates.`);
  }
}

/** The database rejects both, and half of a surrogate pair is not a character. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Requests of the console are short. */
const BODY_LIMIT = 64 * 1024;

/** Reads a JSON body if there is one. */
@Injectable()
export class ConsoleBodyGuard implements CanActivate {
  private readonly reader = new JsonBodyReader(BODY_LIMIT, new BodyBudget(Infinity));

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { headers } = request;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!hasBody) return true;
    checkBodyShape(await this.reader.read(request));
    return true;
  }
}

export function notSignedIn(): GatewayError {
  return refusal(401, 'not_signed_in', 'You are not signed in, or your session has ended. Sign in and try again.');
}

/** A person, or an access token or its owner, lacks the permission. */
export function insufficientPermissions(permission: Permission): GatewayError {
  const message = `This needs the permission ${permission}: use an access token that has it in its scopes, of an owner who has it.`;
  return refusal(403, 'insufficient_permissions', message);
}

export function adminOnly(): GatewayError {
  return refusal(403, 'admin_only', 'Only administrators can do this.');
}

export function otherUser(): GatewayError {
  return refusal(409, 'other_user', 'Another user has signed in in this browser. Reload the page.');
}

export function managerOnly(): GatewayError {
  return refusal(403, 'manager_only', 'Only managers of the project and administrators can do this.');
}

export function crossSiteRequest(): GatewayError {
  return refusal(403, 'cross_site_request', 'A page of another site sent this request. Use the console itself.');
}

/** The present state does not allow the request. */
export function conflict(code: string, message: string, param: string | null = null): GatewayError {
  return new GatewayError(409, { message, type: 'invalid_request_error', param, code });
}

function refusal(status: number, code: string, message: string): GatewayError {
  return new GatewayError(status, { message, type: 'permission_error', param: null, code });
}

export const DAY_MS = 86_400_000;

export function dayBefore(clock: ClockService): Date {
  return new Date(clock.now() - DAY_MS);
}
