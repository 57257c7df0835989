import { Injectable, Logger } from '@nestjs/common';
import pg from 'pg';
import { serviceUnavailable } from '../common/gateway.errors.js';
import { DatabaseServer } from '../database/database.server.js';
import { DatabaseService } from '../database/database.service.js';
import { BatchWriter } from './batch-writer.js';
import { InstanceService } from './instance.service.js';
import type { ClosedCall, OpenCall } from './usage.types.js';
import { INSERT_OPEN, UPSERT_CLOSED } from './usage-statements.js';

const RETRY_MS = 1000;
const MAX_UNWRITTEN = 100_000;

interface Writers {
  pools: pg.Pool[];
  open: BatchWriter;
  closed: BatchWriter;
}

/**
 * One row for each accepted call: `open` before the upstream is called, closed before the client sees the end. Both are
 * awaited and batched. Open rows need no disk flush: they outlive this process, which is what they are for.
 */
@Injectable()
export class UsageLedgerService {
  private readonly logger = new Logger('UsageLedger');
  private writers: Writers | undefined;
  private readonly unwritten = new Set<string>();
  private retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: DatabaseServer,
    private readonly instance: InstanceService,
    database: DatabaseService,
  ) {
    database.beforeReady(() => this.connect());
  }

  /** Rejects with a 503 when the row cannot be stored: then the upstream must not be called. */
  async open(call: OpenCall): Promise<void> {
    try {
      await this.connected().open.write(JSON.stringify(this.toOpenRow(call)));
    } catch (error) {
      throw this.unavailable(error);
    }
  }

  /** Rejects with a 503 when the row cannot be stored now; it is kept and tried again all the same. */
  async close(call: ClosedCall): Promise<void> {
    const row = JSON.stringify(this.toClosedRow(call));
    try {
      await this.connected().closed.write(row);
    } catch (error) {
      this.keep(row);
      throw this.unavailable(error);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.retry);
    if (!this.writers) return;
    await Promise.all([this.writers.open.flush(), this.writers.closed.flush()]);
    if (this.unwritten.size > 0) await this.rewrite();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all((this.writers?.pools ?? []).map((pool) => pool.end()));
  }

  private async connect(): Promise<void> {
    const at = {
      ...(await this.server.sessionConnection()),
      max: 1,
      statement_timeout: 5000,
      connectionTimeoutMillis: 5000,
    };
    const open = new pg.Pool({ ...at, options: '-c synchronous_commit=off', application_name: 'gateway open calls' });
    const closed = new pg.Pool({ ...at, application_name: 'gateway closed calls' });
    for (const pool of [open, closed])
      pool.on('error', (error) => this.logger.warn(`Connection lost: ${error.message}`));
    this.writers = {
      pools: [open, closed],
      open: new BatchWriter(open, 'insert-open-calls', INSERT_OPEN),
      closed: new BatchWriter(closed, 'upsert-closed-calls', UPSERT_CLOSED),
    };
  }

  private connected(): Writers {
    if (!this.writers) throw new Error('the database is not connected yet');
    return this.writers;
  }

  private unavailable(error: unknown): Error {
    this.logger.error(error);
    return serviceUnavailable('The usage ledger cannot be written at the moment. Please try again.');
  }

  private keep(row: string): void {
    if (this.unwritten.size >= MAX_UNWRITTEN) {
      this.logger.error('Too many closed calls wait to be written; one is lost.');
      return;
    }
    this.unwritten.add(row);
    this.retry ??= setTimeout(() => void this.rewrite(), RETRY_MS);
  }

  private async rewrite(): Promise<void> {
    this.retry = undefined;
    const { closed } = this.connected();
    await Promise.all(
      [...this.unwritten].map((row) =>
        closed.write(row).then(
          () => this.unwritten.delete(row),
          () => undefined,
        ),
      ),
    );
    if (this.unwritten.size > 0) this.retry ??= setTimeout(() => void this.rewrite(), RETRY_MS).unref();
  }

  private toOpenRow(call: OpenCall) {
    return { ...this.toCommonColumns(call), status: 'open' };
  }

  private toClosedRow(call: ClosedCall) {
    return {
      ...this.toCommonColumns(call),
      status: call.status,
      upstream: call.upstream,
      upstream_model: call.upstreamModel,
      simulated: call.simulated,
      finish_reason: call.finishReason,
      error_code: call.errorCode,
      input_tokens: call.tokens.input,
      cached_tokens: call.tokens.cached,
      output_tokens: call.tokens.output,
      reasoning_tokens: call.tokens.reasoning,
      token_source: call.tokenSource,
      cost_nanodollars: String(call.costNanodollars),
      attempts: call.attempts,
      first_token_ms: call.firstTokenMs,
      total_ms: call.totalMs,
    };
  }

  private toCommonColumns(call: OpenCall) {
    return {
      id: call.id,
      started_at: call.startedAt,
      instance_id: this.instance.id,
      request_id: call.requestId,
      key_id: call.keyId,
      user_id: call.userId,
      plan_id: call.planId,
      model: call.model,
      stream: call.stream,
      price_version: call.priceVersion,
    };
  }
}
