import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { GatewayError } from '../../common/gateway.error.js';
import { serviceUnavailable } from '../../common/gateway.errors.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { DatabaseService } from '../../database/database.service.js';
import { InstanceService } from '../../ledger/instances/instance.service.js';
import { logFailure } from '../../telemetry/failure-log.js';
import { KeptAnswer } from '../replies/kept.answer.js';
import {
  answerNotKept,
  hashOfKey,
  hashOfRequest,
  idempotencyInProgress,
  idempotencyKeyReused,
} from './idempotency-key.js';
import { CLAIM, DROP_OLD, FIND, KEEP, RELEASE } from './idempotency-statements.js';

const DROP_MS = 3_600_000;
const RETRY_MS = 1000;

/** What is to be answered once for an API key, an Idempotency-Key and a request. */
export interface IdempotentRequest {
  readonly keyId: string;
  readonly idempotencyKey: string;
  /** Any JSON value. */
  readonly request: unknown;
  /** Of the call that is to answer it. */
  readonly callId: string;
}

interface FoundCall {
  requestHash: Buffer;
  status: 'running' | 'kept' | 'not_kept';
  answer: Buffer | null;
}

/** Calls with an Idempotency-Key: each is answered once, by whichever process, and then again with the same bytes. */
@Injectable()
export class IdempotencyService {
  private readonly logger = new Logger('Idempotency');
  /** Written as soon as the database takes it: what was not to be written when a call ended. */
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

  get isOn(): boolean {
    return this.settings.idempotency.retention > 0;
  }

  /**
   * The answer that was given before, to be given again; or a place for the answer to come, which its call must either
   * keep or release. Throws a 409 or 422 where there is neither, a 503 while the database is away.
   */
  async begin({ keyId, idempotencyKey, request, callId }: IdempotentRequest): Promise<Buffer | KeptAnswer> {
    const at = [keyId, hashOfKey(idempotencyKey)];
    const requestHash = await hashOfRequest(request);
    try {
      // Between the two statements the key may become free.
      for (;;) {
        const { retention } = this.settings.idempotency;
        const claim = [...at, requestHash, callId, this.instance.id, retention];
        const [claimed] = await this.dataSource.query(CLAIM, claim);
        if (claimed) return this.placeFor(at, callId);
        const [found]: FoundCall[] = await this.dataSource.query(FIND, at);
        if (found) return answerOf(found, requestHash);
      }
    } catch (error) {
      throw this.toTold(error);
    }
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.cleaning);
    clearTimeout(this.retry);
  }

  private placeFor(at: readonly unknown[], callId: string): KeptAnswer {
    const { maxAnswer, retention } = this.settings.idempotency;
    const mine = [...at, callId];
    return new KeptAnswer(maxAnswer, {
      keep: (answer) => this.write(callId, KEEP, [...mine, answer ? 'kept' : 'not_kept', answer, retention]),
      release: () => this.write(callId, RELEASE, mine),
    });
  }

  /** Resolves in any case: the answer was paid for, and goes out whether or not it could be kept. */
  private async write(callId: string, statement: string, parameters: readonly unknown[]): Promise<void> {
    const write = () => this.dataSource.query(statement, [...parameters]);
    try {
      await write();
    } catch (error) {
      logFailure(this.logger, 'An answer cannot be kept for its Idempotency-Key', error);
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
      .catch((error) => logFailure(this.logger, 'Old idempotent answers cannot be dropped', error));
  }

  private toTold(error: unknown): unknown {
    if (error instanceof GatewayError) return error;
    logFailure(this.logger, 'An Idempotency-Key cannot be looked up', error);
    return serviceUnavailable('Idempotency-Keys cannot be looked up at the moment. Please try again.');
  }
}

function answerOf({ requestHash, status, answer }: FoundCall, asked: Buffer): Buffer {
  if (!requestHash.equals(asked)) throw idempotencyKeyReused();
  if (status === 'running') throw idempotencyInProgress();
  if (answer === null) throw answerNotKept();
  return answer;
}
