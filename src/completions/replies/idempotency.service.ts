import { hash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Request } from 'express';
import type { DataSource } from 'typeorm';
import { GatewayError, serviceUnavailable } from '../../common/gateway.error.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { DatabaseService } from '../../database/database.service.js';
import { InstanceService } from '../../ledger/instance.service.js';
import { logFailure } from '../../telemetry/failure-log.js';
import type { CompletionCall } from '../completion.call.js';
import {
  answerNotStored,
  hashOfRequest,
  idempotencyInProgress,
  idempotencyKeyOf,
  idempotencyKeyReused,
} from './idempotency-key.js';
import { StoredAnswer } from './replies.service.js';

const DROP_MS = 3_600_000;
const RETRY_MS = 1000;

interface FoundCall {
  requestHash: Buffer;
  status: 'running' | 'kept' | 'not_kept';
  answer: Buffer | null;
}

/** Answers each request with an Idempotency-Key once across all processes, and repeats the answer byte by byte. */
@Injectable()
export class IdempotencyService {
  private readonly logger = new Logger('Idempotency');
  /** Failed writes of ended calls, retried until they succeed. */
  private readonly owed = new Map<string, () => Promise<unknown>>();
  private retry: NodeJS.Timeout | undefined;
  private cleaning: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() private readonly settings: Settings,
    private readonly instance: InstanceService,
    database: DatabaseService,
  ) {
    database.beforeReadyInFirst(async () => {
      void this.dropOld();
      this.cleaning = setInterval(() => void this.dropOld(), DROP_MS).unref();
    });
  }

  /**
   * Null if the request has no Idempotency-Key. Else resolves to the stored answer, or to a new `StoredAnswer` that its
   * call must keep or release. Rejects with a 409 or 422 when the key is in use, a 503 while the database is unavailable.
   * `body`: the request's.
   */
  find(call: CompletionCall, { headers }: Request, body: unknown): Promise<Buffer | StoredAnswer> | null {
    const key = idempotencyKeyOf(headers['idempotency-key']);
    return key === undefined || this.settings.idempotency.retention === 0 ? null : this.begin(call, key, body);
  }

  private async begin(call: CompletionCall, idempotencyKey: string, body: unknown): Promise<Buffer | StoredAnswer> {
    const { api, caller, id: callId } = call;
    const at = [caller.keyId, hash('sha256', idempotencyKey, 'buffer')];
    // On some paths the model is part of the path instead of the body.
    const requestHash = await hashOfRequest(api, { ...(body as object), model: call.request.model });
    try {
      // The key may become free between the two statements.
      for (;;) {
        const { retention } = this.settings.idempotency;
        const claim = [...at, requestHash, callId, this.instance.id, retention];
        const [claimed] = await this.dataSource.query(CLAIM, claim);
        if (claimed) return this.storedAnswerOf(at, callId);
        const [found]: FoundCall[] = await this.dataSource.query(FIND, at);
        if (found) return answerOf(found, requestHash);
      }
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      logFailure(this.logger, 'An Idempotency-Key could not be looked up', error);
      throw serviceUnavailable('Idempotency-Keys cannot be looked up at the moment. Please try again.');
    }
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.cleaning);
    clearTimeout(this.retry);
  }

  private storedAnswerOf(at: readonly unknown[], callId: string): StoredAnswer {
    const { maxAnswer, retention } = this.settings.idempotency;
    const mine = [...at, callId];
    return new StoredAnswer(maxAnswer, {
      keep: (answer) => this.write(callId, KEEP, [...mine, answer ? 'kept' : 'not_kept', answer, retention]),
      release: () => this.write(callId, RELEASE, mine),
    });
  }

  /** Never rejects, as the answer was paid for and is sent even if it could not be stored. */
  private async write(callId: string, statement: string, parameters: readonly unknown[]): Promise<void> {
    const write = () => this.dataSource.query(statement, [...parameters]);
    try {
      await write();
    } catch (error) {
      logFailure(this.logger, 'An answer could not be stored for its Idempotency-Key', error);
      this.owed.set(callId, write);
      this.retryLater();
    }
  }

  private retryLater(): void {
    this.retry ??= setTimeout(() => void this.writeOwed(), RETRY_MS).unref();
  }

  private async writeOwed(): Promise<void> {
    this.retry = undefined;
    for (const [callId, write] of this.owed) {
      try {
        await write();
        this.owed.delete(callId);
      } catch {
        this.retryLater();
        return;
      }
    }
  }

  private async dropOld(): Promise<void> {
    await this.dataSource
      .query(DROP_OLD)
      .catch((error) => logFailure(this.logger, 'Expired idempotent answers could not be deleted', error));
  }
}

function answerOf({ requestHash, status, answer }: FoundCall, presented: Buffer): Buffer {
  if (!requestHash.equals(presented)) throw idempotencyKeyReused();
  if (status === 'running') throw idempotencyInProgress();
  if (answer === null) throw answerNotStored();
  return answer;
}

/**
 * Claims a key for a new call, if the key is unused, expired, or held by a process that is gone (its advisory lock is
 * free). Returns no row if the key is in use.
 */
const CLAIM = `INSERT INTO idempotent_calls AS held
    (key_id, key_hash, request_hash, call_id, instance_id, status, expires_at)
  VALUES ($1, $2, $3, $4, $5, 'running', now() + $6 * interval '1 ms')
  ON CONFLICT (key_id, key_hash) DO UPDATE SET request_hash = excluded.request_hash, call_id = excluded.call_id,
    instance_id = excluded.instance_id, status = 'running', answer = NULL, expires_at = excluded.expires_at
  WHERE CASE WHEN held.status <> 'running' THEN held.expires_at <= now()
    ELSE held.instance_id <> excluded.instance_id AND pg_try_advisory_xact_lock(held.instance_id) END
  RETURNING 1`;

const FIND = `SELECT request_hash AS "requestHash", status, answer
  FROM idempotent_calls WHERE key_id = $1 AND key_hash = $2`;

const KEEP = `UPDATE idempotent_calls SET status = $4, answer = $5, expires_at = now() + $6 * interval '1 ms'
  WHERE key_id = $1 AND key_hash = $2 AND call_id = $3`;

const RELEASE = `DELETE FROM idempotent_calls
  WHERE key_id = $1 AND key_hash = $2 AND call_id = $3 AND status = 'running'`;

const DROP_OLD = `DELETE FROM idempotent_calls WHERE status <> 'running' AND expires_at <= now()`;
