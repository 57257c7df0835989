import type { Socket } from 'node:net';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import {
  addressNotAllowed,
  type GatewayError,
  invalidApiKey,
  ownerDisabled,
  projectArchived,
  serviceUnavailable,
} from '../common/gateway.error.js';
import { DatabaseService } from '../database/database.service.js';
import { clientAddress } from '../http/client-network.js';
import { logFailure } from '../telemetry/failure-log.js';
import { displayApiKey, hashApiKey, isApiKey } from './api-key.secret.js';
import type { Caller, KnownCaller } from './caller.types.js';
import { CallersService } from './callers.service.js';
import { IdentitiesService } from './identities.service.js';
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

const WRONG_KIND =
  'An access token (gat_…) belongs at /api. Send an API key here: `Authorization: Bearer svc_…`; create keys in the console.';

interface LastKey {
  readonly authorization: string;
  readonly hash: string;
  /** The end of a token (Unix ms); null: it is a key. */
  readonly until: number | null;
}

/** Finds the caller of a request with a valid API key or a token of the identity provider. It reads only headers. */
@Injectable()
export class Authenticator {
  private readonly logger = new Logger('Authenticator');
  /** The checked and hashed key of each connection, as clients send the same key on every request. */
  private readonly lastKeys = new WeakMap<Socket, LastKey>();

  constructor(
    private readonly callers: CallersService,
    private readonly lastUsed: LastUsedService,
    private readonly database: DatabaseService,
    private readonly identities: IdentitiesService,
  ) {}

  /** The caller; no promise for a cached one. Throws, or rejects with, a `GatewayError`. */
  authenticate(request: Request): Caller | Promise<Caller> {
    request.context.noteClient(clientAddress(request), request.headers['user-agent']);
    const keyHash = this.keyHash(request);
    return typeof keyHash === 'string'
      ? this.admit(request, keyHash)
      : keyHash.then((hash) => this.admit(request, hash));
  }

  private admit(request: Request, keyHash: string): Caller | Promise<Caller> {
    this.assertStarted();
    const ip = request.context.clientAddress ?? undefined;
    const known = this.callers.find(keyHash, ip);
    if (known instanceof Promise) return this.afterQuery(request, keyHash, ip, known);
    return this.admitKnown(request, keyHash, ip, known);
  }

  private assertStarted(): void {
    if (!this.database.isStarted) throw serviceUnavailable('The database is not available yet. Please try again.');
  }

  /** A promise for a token that is not known yet. */
  private keyHash(request: Request): string | Promise<string> {
    const { authorization } = request.headers;
    const last = this.lastKeys.get(request.socket);
    if (
      last !== undefined &&
      last.authorization === authorization &&
      (last.until === null || this.identities.isCurrent(last.until)) &&
      isAlone(request)
    ) {
      return last.hash;
    }
    const key = readKey(request, this.identities);
    if (isApiKey(key)) return this.remembered(request, hashApiKey(key), null);
    this.assertStarted();
    const token = this.identities.resolve(key, request.context.clientAddress ?? undefined);
    if (!(token instanceof Promise)) return this.remembered(request, token.keyHash, token.until);
    return token.then(({ keyHash, until }) => this.remembered(request, keyHash, until));
  }

  private remembered(request: Request, hash: string, until: number | null): string {
    const { authorization } = request.headers;
    if (authorization !== undefined && isAlone(request))
      this.lastKeys.set(request.socket, { authorization, hash, until });
    return hash;
  }

  private async afterQuery(
    request: Request,
    keyHash: string,
    ip: string | undefined,
    query: Promise<KnownCaller | null>,
  ): Promise<Caller> {
    const known = await query.catch((error) => {
      logFailure(this.logger, 'A key could not be checked', error);
      throw serviceUnavailable('The key cannot be checked at the moment. Please try again.');
    });
    return this.admitKnown(request, keyHash, ip, known);
  }

  private admitKnown(request: Request, keyHash: string, ip: string | undefined, known: KnownCaller | null): Caller {
    if (!known) throw this.notValid(request, keyHash);
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
  private notValid(request: Request, keyHash: string): GatewayError {
    const owner = this.callers.ownerOf(keyHash);
    if (owner === null) return unknownKey(request, readKey(request, this.identities));
    request.context.identify(owner);
    return notValidKey(owner.keyDisplay);
  }
}

/** Admits requests with a valid API key or token and sets their caller. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(private readonly authenticator: Authenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    request.caller = await this.authenticator.authenticate(request);
    return true;
  }
}

type Tokens = Pick<IdentitiesService, 'accepts'>;

/** The key or token in the Authorization header, or in a header of other vendors' clients if there is none. */
function readKey(request: Request, tokens: Tokens): string {
  const { authorization } = request.headers;
  const preferred = anthropicKey(request, tokens);
  if (preferred !== undefined) {
    if (isApiKey(preferred) || tokens.accepts(preferred)) return preferred;
    throw unknownKey(request, preferred);
  }
  const key =
    authorization === undefined ? findAlternativeKey(request, tokens) : bearerKey(authorization, request, tokens);
  if (key === undefined) throw invalidApiKey(hasAccessToken(request) ? WRONG_KIND : MISSING);
  if (!isApiKey(key) && !tokens.accepts(key)) {
    throw key.startsWith('gat_') ? invalidApiKey(WRONG_KIND) : unknownKey(request, key);
  }
  if (repeatsAuthorization(request)) throw invalidApiKey('Send the API key in one Authorization header only.');
  if (ALTERNATIVES.some((name) => contradicts(request.headers[name], key, tokens))) {
    throw invalidApiKey('Two different API keys were given. Send one, as `Authorization: Bearer svc_…`.');
  }
  return key;
}

function bearerKey(authorization: string, request: Request, tokens: Tokens): string {
  const key = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (key !== undefined) return key;
  throw invalidApiKey(findAlternativeKey(request, tokens) === undefined ? MISSING : NOT_BEARER);
}

/** Clients of Anthropic's API may send both headers, and the API prefers this one. */
function anthropicKey({ headers }: Request, tokens: Tokens): string | undefined {
  if (headers['anthropic-version'] === undefined) return undefined;
  const value = headers['x-api-key'];
  return typeof value === 'string' && isOurs(value, tokens) ? value : undefined;
}

const ALTERNATIVES = ['x-api-key', 'api-key'] as const;

/** Other vendors' clients also send these headers with other values. */
function isOurs(value: string, tokens: Tokens): boolean {
  return value.startsWith('svc_') || tokens.accepts(value);
}

function findAlternativeKey({ headers }: Request, tokens: Tokens): string | undefined {
  for (const name of ALTERNATIVES) {
    const value = headers[name];
    if (typeof value === 'string' && isOurs(value, tokens)) return value;
  }
  return undefined;
}

function hasAccessToken({ headers }: Request): boolean {
  return ALTERNATIVES.some((name) => String(headers[name]).startsWith('gat_'));
}

function isAlone(request: Request): boolean {
  return ALTERNATIVES.every((name) => request.headers[name] === undefined) && !repeatsAuthorization(request);
}

function contradicts(header: string | string[] | undefined, key: string, tokens: Tokens): boolean {
  return header !== undefined && header !== key && (String(header).includes('svc_') || tokens.accepts(String(header)));
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

/** The caller that the bearer guard found, as a parameter of a handler. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<Request>();
  if (!caller) throw new Error('the route has no bearer guard');
  return caller;
});
