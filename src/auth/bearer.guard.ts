import type { Socket } from 'node:net';
import { type CanActivate, type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import type { GatewayError } from '../common/gateway.error.js';
import {
  addressNotAllowed,
  invalidApiKey,
  ownerDisabled,
  projectArchived,
  serviceUnavailable,
} from '../common/gateway.errors.js';
import { DatabaseService } from '../database/database.service.js';
import { clientAddress } from '../http/client-address.js';
import { logFailure } from '../telemetry/failure-log.js';
import { displayApiKey, hashApiKey, isApiKey } from './api-key.format.js';
import type { Caller, KnownCaller } from './caller.types.js';
import { CallersService } from './callers.service.js';
import { LastUsedService } from './last-used.service.js';

declare module 'express-serve-static-core' {
  interface Request {
    caller?: Caller;
  }
}

const MISSING = 'No API key was given. Send it as `Authorization: Bearer svc_…`; create keys in the console.';

const NOT_BEARER =
  'The Authorization header contains no API key, and it takes precedence over x-api-key and api-key. ' +
  'Remove it, or send the key as `Authorization: Bearer svc_…`.';

interface LastKey {
  readonly authorization: string;
  readonly hash: string;
}

/** Admits requests with a valid API key and sets their caller. It reads only headers. */
@Injectable()
export class BearerGuard implements CanActivate {
  private readonly logger = new Logger('BearerGuard');
  /** The checked and hashed key of each connection, as clients send the same key on every request. */
  private readonly lastKeys = new WeakMap<Socket, LastKey>();

  constructor(
    private readonly callers: CallersService,
    private readonly lastUsed: LastUsedService,
    private readonly database: DatabaseService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    request.caller = await this.authenticate(request);
    return true;
  }

  /** The caller; no promise for a cached one. Throws, or rejects with, a `GatewayError`. */
  authenticate(request: Request): Caller | Promise<Caller> {
    const keyHash = this.keyHash(request);
    if (!this.database.isStarted) throw serviceUnavailable('The database is not available yet. Please try again.');
    const ip = clientAddress(request);
    const known = this.callers.find(keyHash, ip);
    if (known instanceof Promise) return this.afterQuery(request, ip, known);
    return this.admitKnown(request, ip, known);
  }

  private keyHash(request: Request): string {
    const { authorization } = request.headers;
    const last = this.lastKeys.get(request.socket);
    if (last !== undefined && last.authorization === authorization && isAlone(request)) return last.hash;
    const hash = hashApiKey(readKey(request));
    if (authorization !== undefined) this.lastKeys.set(request.socket, { authorization, hash });
    return hash;
  }

  private async afterQuery(
    request: Request,
    ip: string | undefined,
    query: Promise<KnownCaller | null>,
  ): Promise<Caller> {
    const known = await query.catch((error) => {
      logFailure(this.logger, 'A key could not be checked', error);
      throw serviceUnavailable('The key cannot be checked at the moment. Please try again.');
    });
    return this.admitKnown(request, ip, known);
  }

  private admitKnown(request: Request, ip: string | undefined, known: KnownCaller | null): Caller {
    if (!known) throw this.notValid(request);
    const { caller } = known;
    request.context.identify(caller);
    if (known.disabledBy) throw disabledKey(caller.keyDisplay, known.disabledBy);
    if (known.projectArchived) throw projectArchived();
    if (known.ownerDisabled) throw ownerDisabled();
    if (known.addresses && !known.addresses.includes(ip ?? '')) throw addressNotAllowed();
    this.lastUsed.record(caller, ip, request);
    return caller;
  }

  /** The owner of an expired or revoked key sees the refusal. */
  private notValid(request: Request): GatewayError {
    const owner = this.callers.ownerOf(this.keyHash(request));
    if (owner === null) return unknownKey(request, readKey(request));
    request.context.identify(owner);
    return notValidKey(owner.keyDisplay);
  }
}

/** The key in the Authorization header, or in a header of other vendors' clients if there is none. */
function readKey(request: Request): string {
  const { authorization } = request.headers;
  const key = authorization === undefined ? findAlternativeKey(request) : bearerKey(authorization, request);
  if (key === undefined) throw invalidApiKey(MISSING);
  if (!isApiKey(key)) throw unknownKey(request, key);
  if (repeatsAuthorization(request)) throw invalidApiKey('Send the API key in one Authorization header only.');
  if (ALTERNATIVES.some((name) => contradicts(request.headers[name], key))) {
    throw invalidApiKey('Two different API keys were given. Send one, as `Authorization: Bearer svc_…`.');
  }
  return key;
}

function bearerKey(authorization: string, request: Request): string {
  const key = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (key !== undefined) return key;
  throw invalidApiKey(findAlternativeKey(request) === undefined ? MISSING : NOT_BEARER);
}

const ALTERNATIVES = ['x-api-key', 'api-key'] as const;

function findAlternativeKey({ headers }: Request): string | undefined {
  for (const name of ALTERNATIVES) {
    const value = headers[name];
    if (typeof value === 'string' && value.startsWith('svc_')) return value;
  }
  return undefined;
}

function isAlone(request: Request): boolean {
  return ALTERNATIVES.every((name) => request.headers[name] === undefined) && !repeatsAuthorization(request);
}

function contradicts(header: string | string[] | undefined, key: string): boolean {
  return header !== undefined && String(header).includes('svc_') && header !== key;
}

/**
 * Node keeps only the first of several Authorization headers in `headers`. Other repeated headers are joined, which is
 * not a valid key.
 */
function repeatsAuthorization({ rawHeaders }: Request): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 13 && name.toLowerCase() === 'authorization') seen++;
  }
  return seen > 1;
}

function disabledKey(display: string, disabledBy: 'owner' | 'administrator'): GatewayError {
  const remedy =
    disabledBy === 'owner'
      ? 'Its owner or an administrator can enable it in the console.'
      : 'An administrator disabled it, and only an administrator can enable it.';
  return invalidApiKey(`The API key (${display}) is disabled. ${remedy}`);
}

function unknownKey(request: Request, text: string): GatewayError {
  const keyDisplay = displayOf(text);
  if (keyDisplay !== undefined) request.context.identify({ keyDisplay });
  return notValidKey(keyDisplay);
}

/** Shows the sent text only if it looks like a key, and only in the display form of keys. */
function displayOf(text: string): string | undefined {
  return text.startsWith('svc_') && text.length >= 24 && /^\w+$/.test(text) ? displayApiKey(text) : undefined;
}

function notValidKey(display: string | undefined): GatewayError {
  const shown = display === undefined ? '' : ` (${display})`;
  return invalidApiKey(
    `The API key${shown} is invalid: it may be mistyped, expired or revoked. Create one in the console.`,
  );
}
