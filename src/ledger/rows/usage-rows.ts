import { RowEncoder } from '../batches/row-encoder.js';
import type { ClosedCall, OpenCall } from './call-record.types.js';

/** The error code of a settled call whose client probably did not get the end of the answer. */
export const UNDELIVERED = 'undelivered';

interface UsageColumn<Call> {
  readonly name: string;
  write(to: RowEncoder, call: Call): void;
}

/** Columns known at the start of a call; the columns of limited calls come last. */
export const OPENING: readonly UsageColumn<OpenCall>[] = [
  { name: 'id', write: (to, { id }) => to.text(id) },
  { name: 'started_at', write: (to, { startedAt }) => to.timestamptz(startedAt) },
  { name: 'request_id', write: (to, { requestId }) => to.text(requestId) },
  { name: 'key_id', write: (to, { keyId }) => to.uuid(keyId) },
  { name: 'key_display', write: (to, { keyDisplay }) => to.text(keyDisplay) },
  { name: 'user_id', write: (to, { userId }) => to.uuid(userId) },
  { name: 'plan_id', write: (to, { planId }) => to.text(planId) },
  { name: 'model', write: (to, { model }) => to.text(model) },
  { name: 'api', write: (to, { api }) => to.text(api) },
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

const ENDING: readonly UsageColumn<ClosedCall>[] = [
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
];

export const CLOSING: readonly UsageColumn<ClosedCall>[] = [...OPENING, ...ENDING];

/** The row types and their columns, in order. */
export const ROW_TYPES = {
  usage_row_opening: OPENING.map(({ name }) => name),
  usage_row_closing: CLOSING.map(({ name }) => name),
} as const;

export const CHANGED_COLUMNS = [...ENDING.map(({ name }) => name), 'price_version'];

/** Calls as one statement parameter: an array of `usage_row_opening` or `usage_row_closing`. */
export class UsageRows<Call extends OpenCall> {
  private readonly encoder = new RowEncoder();

  constructor(private readonly columns: readonly UsageColumn<Call>[]) {}

  /** Valid until the next call of this method. `rowType`: the id of the type. */
  parameter(rowType: number, calls: readonly Call[]): Buffer {
    const { columns, encoder } = this;
    encoder.begin(rowType, calls.length);
    for (const call of calls) {
      const row = encoder.beginRow(columns.length);
      for (const column of columns) column.write(encoder, call);
      encoder.endRow(row);
    }
    return encoder.finish();
  }
}
