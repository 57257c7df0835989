import { hash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Request, Response } from 'express';
import { from, type Observable, of, switchMap } from 'rxjs';
import type { DataSource } from 'typeorm';
import { gatewayError, invalidRequest } from '../../common/gateway.error.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { Access } from './route-access.js';

const MAX_KEY_LENGTH = 255;
/** A request that takes longer was lost with its process. */
const RUNNING_MS = 60_000;

/** $1: user, $2: key, $3: request, $4: milliseconds. No row: the key is in use. */
const CLAIM = `
  INSERT INTO idempotent_writes AS held (user_id, key_hash, request_hash, expires_at)
  VALUES ($1, $2, $3, now() + $4 * interval '1 ms')
  ON CONFLICT (user_id, key_hash) DO UPDATE SET request_hash = $3, answer = NULL, expires_at = excluded.expires_at
    WHERE held.expires_at <= now()
  RETURNING user_id`;

const STORED = 'SELECT request_hash, answer FROM idempotent_writes WHERE user_id = $1 AND key_hash = $2';
const KEEP = `UPDATE idempotent_writes SET answer = $3, expires_at = now() + $4 * interval '1 ms'
  WHERE user_id = $1 AND key_hash = $2`;
const RELEASE = 'DELETE FROM idempotent_writes WHERE user_id = $1 AND key_hash = $2';
const DROP_OLD = 'DELETE FROM idempotent_writes WHERE expires_at <= now()';

interface Stored {
  readonly request_hash: Buffer;
  /** Null while the first request runs. */
  readonly answer: unknown;
}

/**
 * Executes a POST with an `Idempotency-Key` once per user, in all processes. A repeat gets the first answer, in which
 * secrets that are shown once are null. Failed requests are not stored, so they can be repeated.
 */
@Injectable()
export class IdempotentWritesInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const key = request.headers['idempotency-key'];
    const access = this.reflector.getAllAndOverride(Access, [context.getHandler(), context.getClass()]);
    if (request.method !== 'POST' || key === undefined || !request.session || access === 'anyone') return next.handle();
    if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH) {
      throw invalidRequest('invalid_value', null, `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters.`);
    }
    const at = [request.session.user.id, hash('sha256', key, 'buffer')];
    const response = context.switchToHttp().getResponse<Response>();
    return from(this.claim(at, request, response)).pipe(
      switchMap((stored) => (stored ? of(stored.answer) : from(this.execute(at, next)))),
    );
  }

  /** Null: this request executes; otherwise the answer of an earlier one. */
  private async claim(at: readonly unknown[], request: Request, response: Response): Promise<Stored | null> {
    const requested = hash('sha256', JSON.stringify([request.originalUrl, request.body ?? null]), 'buffer');
    const claimed: unknown[] = await this.dataSource.query(CLAIM, [...at, requested, RUNNING_MS]);
    if (claimed.length > 0) return null;
    const [stored]: Stored[] = await this.dataSource.query(STORED, [...at]);
    if (stored && !stored.request_hash.equals(requested)) {
      const message = 'This Idempotency-Key was used with a different request. Use a new key for each request.';
      throw gatewayError(422, 'idempotency_key_reused', message);
    }
    if (!stored || stored.answer === null) {
      const message =
        'A request with this Idempotency-Key is still running. Wait until it has finished, then repeat it.';
      throw gatewayError(409, 'idempotency_in_progress', message, { headers: { 'retry-after': '1' } });
    }
    response.setHeader('x-gateway-idempotent-replay', 'true');
    return { ...stored, answer: (stored.answer as { body: unknown }).body };
  }

  private async execute(at: readonly unknown[], next: CallHandler): Promise<unknown> {
    let body: unknown;
    try {
      body = await new Promise((resolve, reject) => next.handle().subscribe({ next: resolve, error: reject }));
    } catch (error) {
      await this.dataSource.query(RELEASE, [...at]);
      throw error;
    }
    const stored = JSON.stringify({ body: withoutSecrets(body ?? null) });
    await this.dataSource.query(KEEP, [...at, stored, this.settings.idempotency.retention]);
    await this.dataSource.query(DROP_OLD);
    return body;
  }
}

/** A key, an access token, and the address of a one-time link. */
const SECRETS = new Set(['key', 'token', 'url']);

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).map(([name, item]) => [
    name,
    SECRETS.has(name) && typeof item === 'string' ? null : withoutSecrets(item),
  ]);
  return Object.fromEntries(entries);
}
