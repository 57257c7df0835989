import type pg from 'pg';
import type { BatchFormat } from '../batches/batch-format.js';
import type { AdmissionRequest, Grant } from './admission.types.js';
import type { ClosedCall } from './call-record.types.js';
import type { LedgerSchema } from './ledger-schema.js';
import { CLOSING, UNDELIVERED, UsageRows } from './usage-rows.js';
import { closeLimited, NOT_USUAL, UPSERT_CLOSED_LIMITED, upsertClosed } from './usage-statements.js';

/** Sums of what the calls of a batch release and charge, for one balance. */
interface Sums {
  calls: number;
  tokens: number;
  held: bigint;
  charged: bigint;
}

type LimitedCall = ClosedCall & { readonly admissionRequest: AdmissionRequest & { readonly grant: Grant } };

/** Rows of ended calls. If any was limited, the statement also updates the balances. */
export class ClosingFormat implements BatchFormat<ClosedCall, void> {
  private readonly rows = new UsageRows(CLOSING);

  constructor(
    private readonly instanceId: string,
    private readonly schema: LedgerSchema,
  ) {}

  query(calls: readonly ClosedCall[], isRepeated: boolean): pg.QueryConfig {
    const values = [this.instanceId, this.rows.parameter(this.schema.closing, calls)];
    const table = this.schema.tableOf(calls);
    const limited = calls.filter(({ admissionRequest }) => admissionRequest !== null);
    if (limited.length === 0) return { name: `upsert-closed-calls ${table}`, text: upsertClosed(table), values };
    const day = limited[0]?.admissionRequest?.grant?.day;
    if (day && !isRepeated && limited.every((call) => isOf(call, day)) && !calls.some(isUndelivered)) {
      const all = [...toSums(limited as readonly LimitedCall[]), day, `${day.slice(0, 7)}-01`, ...values];
      return { name: `close-limited-calls ${table}`, text: closeLimited(table), values: all };
    }
    const balances = new Set(
      limited.flatMap(({ admissionRequest }) => admissionRequest?.balances.map(({ id }) => id) ?? []),
    );
    const all = [`{${[...balances].join(',')}}`, ...values];
    return { name: 'upsert-limited-calls', text: UPSERT_CLOSED_LIMITED, values: all };
  }

  results(_: unknown, calls: readonly ClosedCall[]) {
    // A repeated close must not release anything twice.
    for (const { admissionRequest } of calls) if (admissionRequest) admissionRequest.grant = null;
    return [];
  }

  isNotUsual(error: unknown): boolean {
    return (error as { code?: string }).code === NOT_USUAL || this.schema.isOutOfDate(error);
  }
}

function isOf({ admissionRequest }: ClosedCall, day: string): boolean {
  return admissionRequest?.grant?.day === day;
}

/** The row may be closed already. */
function isUndelivered({ errorCode }: ClosedCall): boolean {
  return errorCode === UNDELIVERED;
}

function toSums(calls: readonly LimitedCall[]): string[] {
  const sums = new Map<string, Sums>();
  for (const { admissionRequest, tokens, estimatedInputTokens, costNanodollars: cost } of calls) {
    const { balances, grant } = admissionRequest;
    const { reserved } = grant;
    for (const { id } of balances) {
      let sum = sums.get(id);
      if (!sum) {
        sum = { calls: 0, tokens: 0, held: 0n, charged: 0n };
        sums.set(id, sum);
      }
      sum.calls++;
      sum.tokens += Math.max(0, tokens.input + tokens.output - estimatedInputTokens);
      sum.held += reserved ?? 0n;
      sum.charged += cost;
    }
  }
  const ids = [...sums.keys()].sort();
  const of = (name: keyof Sums) => `{${ids.map((id) => sums.get(id)?.[name]).join(',')}}`;
  return [`{${ids.join(',')}}`, of('calls'), of('tokens'), of('held'), of('charged')];
}
