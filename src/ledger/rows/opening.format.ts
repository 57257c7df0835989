import type pg from 'pg';
import type { BatchFormat } from '../batches/batch-format.js';
import type { Admission, AdmissionRequest, BalanceState, LimitedBalance } from './admission.types.js';
import type { OpenCall } from './call-record.types.js';
import { LEDGER, type LedgerSchema } from './ledger-schema.js';
import { OPENING, UsageRows } from './usage-rows.js';
import { insertOpen, insertOpenLimited } from './usage-statements.js';

/** Sums of what the calls of a batch need, for one balance. */
interface Sums {
  readonly position: number;
  readonly balance: LimitedBalance;
  calls: number;
  tokens: number;
  money: bigint;
  /**
   * Eight times the cost of the most expensive full answer to a call that set no ceiling. If this remains, an eighth of
   * the rest pays for any of these answers.
   */
  room: bigint;
}

/** The statement's result; arrays are by row when the calls were decided one by one. */
interface Verdict {
  refused: boolean[] | null;
  reserved: (number | null)[] | null;
  ceilings: (number | null)[] | null;
  states: (number | null)[][];
  /** The day of the decision in UTC. */
  day: string;
}

/**
 * Rows of new calls. Rows without limits are only inserted. With limits, the statement first decides which calls are
 * admitted: all together if their sums fit, else one by one.
 */
export class OpeningFormat implements BatchFormat<OpenCall, Admission | null> {
  private readonly known = new Set<string>();
  private readonly rows = new UsageRows(OPENING);

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
    const sums = this.sumsOf(rows);
    const asked = [...sums.values()].map(toAsked).join(',');
    const calls = rows
      .flatMap((row, index) => (row.admissionRequest ? [toCall(row, row.admissionRequest, index + 1, sums)] : []))
      .join(',');
    const isNew = [...sums.keys()].some((id) => !this.known.has(id));
    const all = [`[${asked}]`, `[${calls}]`, rows.length, isRepeated, isNew, ...values];
    return { name: `insert-limited-calls ${kind}`, text: insertOpenLimited(table, isRepeated), values: all };
  }

  isNotUsual(error: unknown): boolean {
    return this.schema.isOutOfDate(error);
  }

  results({ rows: [answer] }: pg.QueryResult<{ verdict: Verdict }>, rows: readonly OpenCall[]) {
    if (!answer) return [];
    const { refused, reserved, ceilings, states, day } = answer.verdict;
    const sums = this.sumsOf(rows);
    for (const id of sums.keys()) this.remember(id);
    const left = states.map((state) => new Left(state));
    return rows.map(({ admissionRequest }, index): Admission | null => {
      if (admissionRequest === null) return null;
      const own = admissionRequest.balances.map(({ id }) => left[(sums.get(id)?.position ?? 1) - 1] ?? new Left([]));
      const isAdmitted = refused?.[index] !== true;
      const granted = reserved?.[index];
      const money = granted == null ? (admissionRequest.money?.full ?? null) : BigInt(granted);
      const balances = own.map((balance) => balance.state());
      if (isAdmitted) admissionRequest.grant = { reserved: money, day };
      if (isAdmitted) for (const balance of own) balance.take(admissionRequest.tokens, Number(money ?? 0));
      return { isAdmitted, reserved: money, outputCeiling: ceilings?.[index] ?? null, balances };
    });
  }

  private sumsOf(rows: readonly OpenCall[]): Map<string, Sums> {
    const sums = new Map<string, Sums>();
    for (const { admissionRequest } of rows) {
      for (const balance of admissionRequest?.balances ?? []) {
        let sum = sums.get(balance.id);
        if (!sum) {
          sum = { position: sums.size + 1, balance, calls: 0, tokens: 0, money: 0n, room: 0n };
          sums.set(balance.id, sum);
        }
        if (admissionRequest) add(sum, admissionRequest);
      }
    }
    return sums;
  }

  private remember(id: string): void {
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.add(id);
  }
}

const MAX_KNOWN = 100_000;
const EIGHTHS = 8n;
const MILLION = 1_000_000n;

/** The rest of a balance, reduced by each call of the batch. */
class Left {
  private requests: number | null;
  private tokens: number | null;
  private slots: number | null;
  private readonly money: (number | null)[];
  private readonly unspent: (number | null)[];

  constructor([requests, tokens, slots, ...money]: readonly (number | null)[]) {
    this.requests = requests ?? null;
    this.tokens = tokens ?? null;
    this.slots = slots ?? null;
    this.money = money.slice(0, 3);
    this.unspent = money.slice(3);
  }

  state(): BalanceState {
    const { requests, tokens, slots, unspent } = this;
    return { requests, tokens, slots, money: [...this.money], unspent };
  }

  take(tokens: number, money: number): void {
    if (this.requests !== null) this.requests--;
    if (this.tokens !== null) this.tokens -= tokens;
    if (this.slots !== null) this.slots--;
    for (const [index, left] of this.money.entries()) if (left !== null) this.money[index] = left - money;
  }
}

function add(sum: Sums, { tokens, money }: AdmissionRequest): void {
  sum.calls++;
  sum.tokens += tokens;
  if (!money) return;
  sum.money += money.full;
  if (money.isOwnCeiling) return;
  const room = (EIGHTHS * BigInt(money.ceiling) * money.tokenPrice) / MILLION + EIGHTHS;
  if (room > sum.room) sum.room = room;
}

function toAsked({ balance: { id, kind, values }, calls, tokens, money, room }: Sums): string {
  const { requestsPerMinute: r, tokensPerMinute: t, concurrentCalls: c } = values;
  const { budgetDayNanodollars: d, budgetMonthNanodollars: m, budgetTotalNanodollars: x } = values;
  return `{"id":"${id}","kind":"${kind}","r":${r},"t":${t},"c":${c},"d":${d},"m":${m},"x":${x},"n":${calls},"e":${tokens},"w":${money},"f":${room}}`;
}

function toCall(
  { id, startedAt }: OpenCall,
  admissionRequest: AdmissionRequest,
  position: number,
  sums: Map<string, Sums>,
): string {
  const { tokens, money } = admissionRequest;
  const balances = admissionRequest.balances.map((balance) => sums.get(balance.id)?.position).join(',');
  const cost = money
    ? `"p":${money.promptPrice},"u":${money.tokenPrice},"w":${money.full},"k":${money.ceiling},"own":${money.isOwnCeiling}`
    : '"w":null';
  return `{"n":${position},"id":${JSON.stringify(id)},"s":"${startedAt.toISOString()}","b":[${balances}],"e":${tokens},${cost}}`;
}
