import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { eventually } from '../../test/support/eventually.js';
import { closedCall, openCall } from '../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { UsageModule } from '../usage/usage.module.js';
import { InstanceService } from './instance.service.js';
import { OpeningFormat } from './rows/row.formats.js';
import { LedgerSchema } from './rows/usage-statements.js';
import { UsageLedgerService } from './usage-ledger.service.js';

describe('UsageLedgerService', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;
  let ledger: UsageLedgerService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule);
    ledger = services.get(UsageLedgerService);
  });

  const rowsOf = (id: string) => database.query('SELECT * FROM usage_calls WHERE id = $1', [id]);
  const statusOf = async (id: string) => (await rowsOf(id)).map(({ status }) => status);
  const interrupt = (id: string) =>
    database.query("UPDATE usage_calls SET status = 'interrupted', error_code = 'interrupted' WHERE id = $1", [id]);

  it('has an open row once a call is opened', async () => {
    const call = openCall({ stream: true });
    await ledger.open(call);
    expect(await rowsOf(call.id)).toEqual([
      expect.objectContaining({
        id: call.id,
        started_at: call.startedAt,
        instance_id: services.get(InstanceService).id,
        request_id: 'req_1',
        key_id: call.keyId,
        user_id: call.userId,
        plan_id: 'free',
        model: 'gpt-6-luna',
        stream: true,
        price_version: 'v1',
        status: 'open',
        cost_nanodollars: '0',
        total_ms: null,
      }),
    ]);
  });

  it('marks simulated answers when a call is opened', async () => {
    const call = openCall({ simulated: true });
    await ledger.open(call);
    expect(await rowsOf(call.id)).toMatchObject([{ status: 'open', simulated: true }]);
  });

  it('has one complete row once the call is closed', async () => {
    const call = openCall();
    await ledger.open(call);
    await ledger.close(closedCall(call));
    expect(await rowsOf(call.id)).toEqual([
      {
        id: call.id,
        started_at: call.startedAt,
        instance_id: services.get(InstanceService).id,
        request_id: 'req_1',
        key_id: call.keyId,
        key_display: call.keyDisplay,
        user_id: call.userId,
        plan_id: 'free',
        model: 'gpt-6-luna',
        upstream: 'openai',
        upstream_model: 'gpt-upstream',
        served_model: call.model,
        simulated: false,
        api: 'chat.completions',
        stream: false,
        status: 'settled',
        finish_reason: 'stop',
        error_code: null,
        input_tokens: '11',
        cached_tokens: '5',
        output_tokens: '3',
        reasoning_tokens: '1',
        token_source: 'reported',
        price_version: 'v1',
        estimated_input_tokens: '13',
        reserved_nanodollars: '0',
        cost_nanodollars: '1234',
        prompt_nanodollars: '0',
        charge: null,
        attempts: [
          { upstream: 'openai', upstreamModel: 'gpt-upstream', startMs: 1, ms: 20, outcome: 'ok', status: 200 },
        ],
        first_token_ms: 7,
        total_ms: 21,
        changed_in: expect.stringMatching(/^\d+$/),
        interrupted_in: null,
        limited_by: null,
        admitted_at: null,
        uncharged_nanodollars: null,
        answer_id: null,
        http_status: 200,
        client_address: '203.0.113.7',
        user_agent: 'curl/8',
      },
    ]);
  });

  it('writes the complete row even if the open row was lost in a crash of Postgres', async () => {
    const call = openCall();
    await ledger.close(closedCall(call));
    expect(await rowsOf(call.id)).toEqual([
      expect.objectContaining({ status: 'settled', key_id: call.keyId, cost_nanodollars: '1234' }),
    ]);
  });

  it('replaces an interrupted call by a settled one', async () => {
    const call = openCall();
    await ledger.open(call);
    await interrupt(call.id);
    await ledger.close(closedCall(call));
    expect(await rowsOf(call.id)).toEqual([expect.objectContaining({ status: 'settled', error_code: null })]);
  });

  it('never overwrites a row that is closed', async () => {
    const call = openCall();
    await ledger.close(closedCall(call));
    await ledger.close(closedCall(call, { status: 'failed', costNanodollars: 9n }));
    await expect(ledger.open(call)).rejects.toMatchObject({ status: 503 });
    const schema = new LedgerSchema();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await schema.read(client);
    await client.query(new OpeningFormat('1', schema).query([call], true));
    await client.end();
    expect(await rowsOf(call.id)).toEqual([expect.objectContaining({ status: 'settled', cost_nanodollars: '1234' })]);
  });

  it('closes a row that Postgres rejects as failed, next to valid ones', async () => {
    const calls = Array.from({ length: 20 }, () => openCall());
    const results = await Promise.allSettled(
      calls.map((call, index) => ledger.close(closedCall(call, index === 7 ? { finishReason: 'nul \u0000' } : {}))),
    );
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    await eventually(async () => (await rowsOf(calls[7]?.id ?? '')).length === 1);
    for (const [index, call] of calls.entries()) {
      const status = index === 7 ? 'failed' : 'settled';
      expect(await rowsOf(call.id)).toMatchObject([{ status, error_code: index === 7 ? 'internal_error' : null }]);
    }
  });

  it('rejects with a 503 while the ledger is locked, and writes the closed rows afterwards', async () => {
    const [opened, closed, refused] = [openCall(), openCall(), openCall()];
    await ledger.open(opened);
    const locker = new pg.Client({ connectionString: database.url });
    await locker.connect();
    await locker.query('BEGIN; LOCK TABLE usage_calls IN ACCESS EXCLUSIVE MODE');
    const results = await Promise.allSettled([
      ledger.close(closedCall(opened)),
      ledger.close(closedCall(closed, { status: 'aborted' })),
      ledger.open(refused),
    ]);
    await locker.end();
    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: { status: 503 } });
    await eventually(async () => (await rowsOf(closed.id)).length > 0);
    expect(await statusOf(opened.id)).toEqual(['settled']);
    expect(await statusOf(closed.id)).toEqual(['aborted']);
    expect(await statusOf(refused.id)).toEqual([]);
  });

  it('continues when its connections are ended', async () => {
    const call = openCall();
    await ledger.open(call);
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name LIKE 'gateway % calls' AND datname = current_database()`,
    );
    await Promise.all([ledger.open(openCall()), ledger.close(closedCall(call))]);
    expect(await statusOf(call.id)).toEqual(['settled']);
  });

  it('has written everything when the application has closed', async () => {
    const other = await startServices(database.url, UsageModule);
    const calls = Array.from({ length: 200 }, () => openCall());
    const closing = Promise.all(calls.map((call) => other.get(UsageLedgerService).close(closedCall(call))));
    await other.close();
    await closing;
    const [{ count } = {}] = await database.query(
      "SELECT count(*)::int FROM usage_calls WHERE id = ANY ($1) AND status = 'settled'",
      [calls.map(({ id }) => id)],
    );
    expect(count).toBe(200);
  });
});
