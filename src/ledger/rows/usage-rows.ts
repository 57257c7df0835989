import { RowEncoder } from '../batches/row-encoder.js';
import type { AdmissionRequest, ClosedCall, LimitedBalance, OpenCall } from '../call-record.types.js';

/** The error code of a settled call whose client probably did not get the end of the answer. */
export const UNDELIVERED = 'undelivered';

interface Column<Row> {
  readonly name: string;
  write(to: RowEncoder, row: Row): void;
}

/** Columns known at the start of a call; the columns of limited calls come last. */
export const OPENING: readonly Column<OpenCall>[] = [
  { name: 'id', write: (to, { id }) => to.text(id) },
  { name: 'started_at', write: (to, { startedAt }) => to.timestamptz(startedAt) },
  { name: 'request_id', write: (to, { requestId }) => to.text(requestId) },
  { name: 'key_id', write: (to, { keyId }) => to.uuid(keyId) },
  { name: 'key_display', write: (to, { keyDisplay }) => to.text(keyDisplay) },
  { name: 'user_id', write: (to, { userId }) => to.uuid(userId) },
  { name: 'plan_id', write: (to, { planId }) => to.text(planId) },
  { name: 'model', write: (to, { model }) => to.text(model) },
  { name: 'api', write: (to, { api }) => to.text(api) },
  { name: 'client_address', write: (to, { clientAddress }) => to.text(clientAddress) },
  { name: 'user_agent', write: (to, { userAgent }) => to.text(userAgent) },
  { name: 'stream', write: (to, { stream }) => to.boolean(stream) },
  { name: 'simulated', write: (to, { simulated }) => to.boolean(simulated) },
  { name: 'estimated_input_tokens', write: (to, { estimatedInputTokens }) => to.bigint(estimatedInputTokens) },
  { name: 'prompt_nanodollars', write: (to, { promptNanodollars }) => to.bigint(promptNanodollars) },
  { name: 'price_version', write: (to, { priceVersion }) => to.text(priceVersion) },
  {
    name: 'limited_by',
    write: (to, { admissionRequest }) => to.uuids(admissionRequest?.balances.map(({ id }) => id) ?? null),
  },
  {
    name: 'reserved_nanodollars',
    write: (to, { admissionRequest }) =>
      to.bigint((admissionRequest?.grant ? admissionRequest.grant.reserved : admissionRequest?.money?.full) ?? null),
  },
];

const ENDING: readonly Column<ClosedCall>[] = [
  { name: 'status', write: (to, { status }) => to.text(status) },
  { name: 'served_model', write: (to, { servedModel }) => to.text(servedModel) },
  { name: 'upstream', write: (to, { upstream }) => to.text(upstream) },
  { name: 'upstream_model', write: (to, { upstreamModel }) => to.text(upstreamModel) },
  { name: 'finish_reason', write: (to, { finishReason }) => to.text(finishReason) },
  { name: 'error_code', write: (to, { errorCode }) => to.text(errorCode) },
  { name: 'input_tokens', write: (to, { tokens }) => to.bigint(tokens.input) },
  { name: 'cached_tokens', write: (to, { tokens }) => to.bigint(tokens.cached) },
  { name: 'output_tokens', write: (to, { tokens }) => to.bigint(tokens.output) },
  { name: 'reasoning_tokens', write: (to, { tokens }) => to.bigint(tokens.reasoning) },
  { name: 'token_source', write: (to, { tokenSource }) => to.text(tokenSource) },
  { name: 'cost_nanodollars', write: (to, { costNanodollars }) => to.bigint(costNanodollars) },
  { name: 'charge', write: (to, { charge }) => to.jsonb(charge) },
  { name: 'attempts', write: (to, { attempts }) => to.jsonb(attempts) },
  { name: 'first_token_ms', write: (to, { firstTokenMs }) => to.int(firstTokenMs) },
  { name: 'total_ms', write: (to, { totalMs }) => to.int(totalMs) },
  { name: 'answer_id', write: (to, { answerId }) => to.text(answerId) },
  { name: 'http_status', write: (to, { httpStatus }) => to.int(httpStatus) },
];

export const CLOSING: readonly Column<ClosedCall>[] = [...OPENING, ...ENDING];

/** What the calls of a batch need of one balance. */
export interface LimitDemand {
  /** From 1, in the statement. */
  readonly place: number;
  readonly balance: LimitedBalance;
  calls: number;
  tokens: number;
  nanodollars: bigint;
  /**
   * Eight times the cost of the most expensive full answer to a call that set no ceiling. If this remains, an eighth of
   * the rest pays for any of these answers.
   */
  mustRemain: bigint;
}

export const DEMANDS: readonly Column<LimitDemand>[] = [
  { name: 'id', write: (to, { balance }) => to.uuid(balance.id) },
  { name: 'kind', write: (to, { balance }) => to.text(balance.kind) },
  { name: 'requests_per_minute', write: (to, { balance }) => to.bigint(balance.values.requestsPerMinute) },
  { name: 'tokens_per_minute', write: (to, { balance }) => to.bigint(balance.values.tokensPerMinute) },
  { name: 'concurrent_calls', write: (to, { balance }) => to.bigint(balance.values.concurrentCalls) },
  { name: 'budget_day', write: (to, { balance }) => to.bigint(balance.values.budgetDayNanodollars) },
  { name: 'budget_month', write: (to, { balance }) => to.bigint(balance.values.budgetMonthNanodollars) },
  { name: 'budget_total', write: (to, { balance }) => to.bigint(balance.values.budgetTotalNanodollars) },
  { name: 'calls', write: (to, { calls }) => to.int(calls) },
  { name: 'tokens', write: (to, { tokens }) => to.bigint(tokens) },
  { name: 'nanodollars', write: (to, { nanodollars }) => to.bigint(nanodollars) },
  { name: 'must_remain', write: (to, { mustRemain }) => to.bigint(mustRemain) },
];

/** A limited call of a batch. */
export interface LimitCall {
  /** From 1, in the statement. */
  readonly place: number;
  readonly call: OpenCall;
  readonly request: AdmissionRequest;
  /** The places of its balances. */
  readonly balances: readonly number[];
}

export const LIMIT_CALLS: readonly Column<LimitCall>[] = [
  { name: 'place', write: (to, { place }) => to.int(place) },
  { name: 'id', write: (to, { call }) => to.text(call.id) },
  { name: 'started_at', write: (to, { call }) => to.timestamptz(call.startedAt) },
  { name: 'balances', write: (to, { balances }) => to.ints(balances) },
  { name: 'tokens', write: (to, { request }) => to.bigint(request.tokens) },
  { name: 'prompt_price', write: (to, { request }) => to.numeric(request.money?.promptPrice ?? null) },
  { name: 'token_price', write: (to, { request }) => to.numeric(request.money?.tokenPrice ?? null) },
  { name: 'nanodollars', write: (to, { request }) => to.bigint(request.money?.full ?? null) },
  { name: 'ceiling', write: (to, { request }) => to.bigint(request.money?.ceiling ?? null) },
  { name: 'is_own_ceiling', write: (to, { request }) => to.boolean(request.money?.isOwnCeiling === true) },
];

/** The row types and their columns, in order. */
export const ROW_TYPES = {
  usage_opening: OPENING.map(({ name }) => name),
  usage_closing: CLOSING.map(({ name }) => name),
  limit_demand: DEMANDS.map(({ name }) => name),
  limit_call: LIMIT_CALLS.map(({ name }) => name),
} as const;

export const CHANGED_COLUMNS = [...ENDING.map(({ name }) => name), 'price_version'];

/** Rows as one statement parameter: an array of a composite type. */
export class RowArray<Row> {
  private readonly encoder = new RowEncoder();

  constructor(private readonly columns: readonly Column<Row>[]) {}

  /** Valid until the next call of this method. `rowType`: the id of the type. */
  parameter(rowType: number, rows: readonly Row[]): Buffer {
    const { columns, encoder } = this;
    encoder.begin(rowType, rows.length);
    for (const row of rows) {
      const start = encoder.beginRow(columns.length);
      for (const column of columns) column.write(encoder, row);
      encoder.endRow(start);
    }
    return encoder.finish();
  }
}

/** The call without its details, for a row that Postgres rejects: closing it must release what the call held. */
export function toUnrecordable(call: ClosedCall): ClosedCall {
  return {
    ...call,
    status: 'failed',
    answerId: null,
    clientAddress: null,
    userAgent: null,
    servedModel: null,
    upstream: null,
    upstreamModel: null,
    finishReason: null,
    errorCode: 'internal_error',
    tokens: { input: 0, cached: 0, output: 0, reasoning: 0 },
    costNanodollars: 0n,
    charge: null,
    attempts: [],
    firstTokenMs: null,
    totalMs: 0,
  };
}
