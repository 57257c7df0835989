import { hash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { GatewayError } from '../../common/gateway.error.js';
import { serviceUnavailable } from '../../common/gateway.errors.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { DatabaseService } from '../../database/database.service.js';
import { InstanceService } from '../../ledger/instances/instance.service.js';
import { logFailure } from '../../telemetry/failure-log.js';
import type { CompletionCall } from '../call/completion.call.js';
import { StoredAnswer } from '../replies/stored.answer.js';
import { answerNotKept, hashOfRequest, idempotencyInProgress, idempotencyKeyReused } from './idempotency-key.js';
import { CLAIM, DROP_OLD, FIND, KEEP, RELEASE } from './idempotency-statements.js';

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

  get isOn(): boolean {
    return this.settings.idempotency.retention > 0;
  }

  /**
   * Returns the stored answer, or a new `StoredAnswer` that its call must keep or release. Throws a 409 or 422 when the
   * key is in use, a 503 while the database is unavailable. `body`: the request's.
   */
  async begin(call: CompletionCall, idempotencyKey: string, body: unknown): Promise<Buffer | StoredAnswer> {
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
  if (answer === null) throw answerNotKept();
  return answer;
}
