import type pg from 'pg';
import type { BatchFormat } from '../batches/batch.js';
import type { Admission, AdmissionRequest, ClosedCall, Grant, LimitVerdict, OpenCall } from '../call-record.types.js';
import {
  CLOSING,
  DEMANDS,
  LIMIT_CALLS,
  type LimitCall,
  type LimitDemand,
  OPENING,
  RowArray,
  UNDELIVERED,
} from './usage-rows.js';
import {
  closeLimited,
  insertOpen,
  insertOpenLimited,
  LEDGER,
  type LedgerSchema,
  NOT_USUAL,
  UPSERT_CLOSED_LIMITED,
  upsertClosed,
} from './usage-statements.js';

/** The statement's result; arrays are by row when the calls were decided one by one. */
interface Verdict {
  refusals: (LimitVerdict | null)[] | null;
  reserved: (number | null)[] | null;
  ceilings: (number | null)[] | null;
  remaining: Admission['remaining'];
  /** The day of the decision in UTC. */
  day: string;
}

/**
 * Rows of new calls. Rows without limits are only inserted. With limits, the statement first decides which calls are
 * admitted: all together if their sums fit, else one by one.
 */
export class OpeningFormat implements BatchFormat<OpenCall, Admission | null> {
  private readonly known = new Set<string>();
  private readonly rows = new RowArray(OPENING);
  private readonly demands = new RowArray(DEMANDS);
  private readonly calls = new RowArray(LIMIT_CALLS);

  constructor(
    private readonly instanceId: string,
    private readonly schema: LedgerSchema,
  ) {}

  query(rows: readonly OpenCall[], isRepeated: boolean): pg.QueryConfig {
    const values = [this.instanceId, this.rows.parameter(this.schema.opening, rows)];
    const table = isRepeated ? LEDGER : this.schema.tableOf(rows);
    const kind = isRepeated ? 'again' : table;
    if (rows.every(({ admissionRequest }) => admissionRequest === null))
      return { name: `insert-open-calls ${kind}`, text: insertOpen(table, isRepeated), values };
    const demands = demandsOf(rows);
    const calls = rows.flatMap((call, index): LimitCall[] => {
      const { admissionRequest: request } = call;
      if (request === null) return [];
      return [
        { place: index + 1, call, request, balances: request.balances.map(({ id }) => demands.get(id)?.place ?? 0) },
      ];
    });
    const isNew = [...demands.keys()].some((id) => !this.known.has(id));
    const limited = [
      this.demands.parameter(this.schema.demand, [...demands.values()]),
      this.calls.parameter(this.schema.call, calls),
    ];
    const all = [...limited, rows.length, isRepeated, isNew, ...values];
    return { name: `insert-limited-calls ${kind}`, text: insertOpenLimited(table, isRepeated), values: all };
  }

  shouldRebuildAfter(error: unknown): boolean {
    return this.schema.isOutOfDate(error);
  }

  results({ rows: [answer] }: pg.QueryResult<{ verdict: Verdict }>, rows: readonly OpenCall[]) {
    if (!answer) return [];
    const { refusals, reserved, ceilings, remaining, day } = answer.verdict;
    for (const id of Object.keys(remaining)) this.remember(id);
    return rows.map(({ admissionRequest }, index): Admission | null => {
      if (admissionRequest === null) return null;
      const refusal = refusals?.[index];
      if (refusal) return { isAdmitted: false, refusal, remaining };
      const granted = reserved?.[index];
      const money = granted == null ? (admissionRequest.money?.full ?? null) : BigInt(granted);
      admissionRequest.grant = { reserved: money, day };
      return { isAdmitted: true, reserved: money, outputCeiling: ceilings?.[index] ?? null, remaining };
    });
  }

  private remember(id: string): void {
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.add(id);
  }
}

const MAX_KNOWN = 100_000;
const EIGHTHS = 8n;
const MILLION = 1_000_000n;

function demandsOf(rows: readonly OpenCall[]): Map<string, LimitDemand> {
  const demands = new Map<string, LimitDemand>();
  for (const { admissionRequest } of rows) {
    for (const balance of admissionRequest?.balances ?? []) {
      let demand = demands.get(balance.id);
      if (!demand) {
        demand = { place: demands.size + 1, balance, calls: 0, tokens: 0, nanodollars: 0n, mustRemain: 0n };
        demands.set(balance.id, demand);
      }
      if (admissionRequest) add(demand, admissionRequest);
    }
  }
  return demands;
}

function add(demand: LimitDemand, { tokens, money }: AdmissionRequest): void {
  demand.calls++;
  demand.tokens += tokens;
  if (!money) return;
  demand.nanodollars += money.full;
  if (money.isOwnCeiling) return;
  const mustRemain = (EIGHTHS * BigInt(money.ceiling) * money.tokenPrice) / MILLION + EIGHTHS;
  if (mustRemain > demand.mustRemain) demand.mustRemain = mustRemain;
}

/** Sums of what the calls of a batch release and charge, for one balance. */
interface ClosingSums {
  calls: number;
  tokens: number;
  reserved: bigint;
  charged: bigint;
}

type LimitedCall = ClosedCall & { readonly admissionRequest: AdmissionRequest & { readonly grant: Grant } };

/** Rows of ended calls. If any was limited, the statement also updates the balances. */
export class ClosingFormat implements BatchFormat<ClosedCall, void> {
  private readonly rows = new RowArray(CLOSING);

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

  shouldRebuildAfter(error: unknown): boolean {
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
  const sums = new Map<string, ClosingSums>();
  for (const { admissionRequest, tokens, estimatedInputTokens, costNanodollars: cost } of calls) {
    const { balances, grant } = admissionRequest;
    const { reserved } = grant;
    for (const { id } of balances) {
      let sum = sums.get(id);
      if (!sum) {
        sum = { calls: 0, tokens: 0, reserved: 0n, charged: 0n };
        sums.set(id, sum);
      }
      sum.calls++;
      sum.tokens += Math.max(0, tokens.input + tokens.output - estimatedInputTokens);
      sum.reserved += reserved ?? 0n;
      sum.charged += cost;
    }
  }
  const ids = [...sums.keys()].sort();
  const of = (name: keyof ClosingSums) => `{${ids.map((id) => sums.get(id)?.[name]).join(',')}}`;
  return [`{${ids.join(',')}}`, of('calls'), of('tokens'), of('reserved'), of('charged')];
}
