import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Subject } from 'rxjs';
import type { DataSource } from 'typeorm';
import type { Caller } from '../auth/caller.types.js';
import type { GatewayError } from '../common/gateway.error.js';
import { ClockService } from '../database/clock.service.js';
import type {
  Admission,
  AdmissionRequest,
  BalanceState,
  BudgetPeriod,
  LimitedBalance,
} from '../ledger/rows/admission.types.js';
import type { ClosedCall, OpenCall } from '../ledger/rows/call-record.types.js';
import { UsageLedgerService } from '../ledger/usage-ledger.service.js';
import type { Model } from '../models/model.types.js';
import { LimitMetricsService } from '../telemetry/metrics/limit-metrics.service.js';
import type { ChatCompletionRequest } from '../upstreams/contract/chat.types.js';
import { balancesOf } from './caller-balances.js';
import { endOf, limitError, PERIODS } from './limit.errors.js';
import { type LimitRefusal, neverPasses, refusalOf, roundedRefusal } from './limit.refusal.js';
import { limitHeaders, type Standing } from './limit-headers.js';
import { RefusalMemory, type RememberedRefusal } from './refusal.memory.js';
import { takeFromRates } from './request-rates.js';
import { Standings } from './standings.js';
import type { LimitName } from './values/limit-values.js';
import { worstCase } from './worst-case.js';

/** Total budgets do not reset. A changed limit applies immediately. */
const TOTAL_REMEMBERED_MS = 3_600_000;

/** Also apply to replays. */
const OF_EVERY_CALL: readonly LimitName[] = ['requestsPerMinute'];

export interface Allowance {
  /** Nano-dollars; null: no budget applies. */
  readonly reserved: bigint | null;
  /** Tokens per choice, when a budget allows fewer than the call asked for. */
  readonly outputCeiling: number | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** A call that cost more than was reserved. */
export interface OverCeiling {
  readonly requestId: string;
  readonly upstream: string | null;
  readonly at: Date;
}

/** A budget that refused a call and does not recover when calls in progress end. */
export interface UsedUp {
  readonly id: string;
  readonly period: BudgetPeriod;
  /** Nano-dollars that the call would have reserved at least. */
  readonly wanted: number;
}

const KINDS: Readonly<Record<LimitName, string>> = {
  requestsPerMinute: 'requests_per_minute',
  tokensPerMinute: 'tokens_per_minute',
  concurrentCalls: 'concurrent_calls',
  budgetDayNanodollars: 'budget_day',
  budgetMonthNanodollars: 'budget_month',
  budgetTotalNanodollars: 'budget_total',
};

/** Rates, concurrent calls and budgets: a call is admitted only when all limits of its caller allow it. */
@Injectable()
export class LimitsService {
  readonly overCeiling = new Subject<OverCeiling>();
  /** Emits at most once per budget until the remembered refusal expires. */
  readonly usedUp = new Subject<UsedUp>();
  private readonly logger = new Logger('Limits');
  private readonly refusals = new RefusalMemory();
  private readonly standings = new Standings();

  constructor(
    private readonly ledger: UsageLedgerService,
    private readonly clock: ClockService,
    private readonly metrics: LimitMetricsService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** What a call needs at most, whichever of the models serves it; null: the caller has no limits. */
  admissionRequest(
    { limits }: Caller,
    request: ChatCompletionRequest,
    models: readonly Model[],
    tokens: number,
  ): AdmissionRequest | null {
    if (limits.length === 0) return null;
    const balances = balancesOf(limits);
    if (balances.length === 0) return null;
    return { balances, tokens, money: balances.some(hasBudget) ? worstCase(request, models) : null };
  }

  /** Called before the body is read. A 429 if this process knows that the caller has no requests left, else null. */
  refusalOfCaller({ limits }: Caller): GatewayError | null {
    if (limits.length === 0) return null;
    const request: AdmissionRequest = { balances: balancesOf(limits), tokens: 0, money: null };
    const never = neverPasses(limits, request);
    if (never?.name === 'requestsPerMinute') return this.refuse(never, this.standings.headersOf(request));
    const found = this.refusals.find(request, OF_EVERY_CALL);
    return found && this.refuseAgain(found, request);
  }

  /**
   * Opens the call's row. Resolves to null if the caller has no limits; rejects with a 429 if a limit refuses it, which
   * `ledger/sql/limit_open.sql` and `limit_open_ordered.sql` decide.
   */
  open({ limits }: Caller, call: OpenCall): Promise<Allowance | null> {
    const { admissionRequest } = call;
    // A call without limits gets no admission result.
    if (admissionRequest === null) return this.ledger.open(call) as Promise<null>;
    const known = this.refuseAtOnce(limits, admissionRequest);
    if (known) return Promise.reject(known);
    return this.ledger
      .open(call)
      .then((admission) => admission && this.toAllowance(limits, admissionRequest, admission));
  }

  /**
   * A replay counts as one request, and uses no tokens, concurrent calls or budget. Resolves to the reply's headers;
   * rejects with a 429 if the caller has no requests left.
   */
  async takeRequest({ limits }: Caller): Promise<Readonly<Record<string, string>>> {
    const balances = balancesOf(limits);
    const request: AdmissionRequest = { balances, tokens: 0, money: null };
    if (!balances.some(({ values }) => values.requestsPerMinute !== null)) return this.standings.headersOf(request);
    const { isTaken, states } = await takeFromRates(this.dataSource, balances);
    const headers = this.noted({ request, balances: states, isTaken });
    if (isTaken) return headers;
    throw this.refuse(this.rememberedRefusal(limits, request, states), headers);
  }

  private toAllowance(limits: Caller['limits'], request: AdmissionRequest, admission: Admission): Allowance {
    const { isAdmitted, balances, reserved, outputCeiling } = admission;
    const headers = this.noted({ request, balances, isTaken: isAdmitted });
    if (!isAdmitted) {
      const refusal = this.rememberedRefusal(limits, request, balances);
      this.noteUsedUp(refusal);
      throw this.refuse(refusal, headers);
    }
    if (outputCeiling !== null) headers['x-gateway-output-ceiling'] = String(outputCeiling);
    return { reserved, outputCeiling, headers };
  }

  /** Frees the call's slot and reports a cost above the reservation. */
  ended({ admissionRequest, requestId, upstream, costNanodollars }: ClosedCall, allowance: Allowance | null): void {
    if (!admissionRequest) return;
    this.refusals.forgetConcurrentCalls(admissionRequest);
    if (allowance === null || allowance.reserved === null || costNanodollars <= allowance.reserved) return;
    this.logger.warn('A call cost more than was reserved for it: it is charged in full.', { requestId });
    this.overCeiling.next({ requestId, upstream, at: this.clock.date() });
  }

  /** Stores the standing and returns the headers that show it. */
  private noted(standing: Standing): Record<string, string> {
    this.standings.note(standing);
    return limitHeaders(standing);
  }

  private noteUsedUp({ name, isSure, wanted, balance: { id } }: LimitRefusal): void {
    const period = PERIODS[name];
    if (isSure && period) this.usedUp.next({ id, period, wanted });
  }

  private refuseAtOnce(limits: Caller['limits'], request: AdmissionRequest): GatewayError | null {
    const never = neverPasses(limits, request);
    if (never) return this.refuse(never, this.standings.headersOf(request));
    const found = this.refusals.find(request);
    return found && this.refuseAgain(found, request);
  }

  private refuseAgain({ refusal, until }: RememberedRefusal, request: AdmissionRequest): GatewayError {
    const seconds = refusal.seconds === null ? null : (until - performance.now()) / 1000;
    return this.refuse({ ...refusal, seconds }, this.standings.headersOf(request));
  }

  private refuse(refusal: LimitRefusal, headers: Readonly<Record<string, string>>): GatewayError {
    this.metrics.refused(KINDS[refusal.name], refusal.scope);
    return limitError(refusal, this.clock.date(), headers);
  }

  private rememberedRefusal(
    limits: Caller['limits'],
    request: AdmissionRequest,
    balances: readonly BalanceState[],
  ): LimitRefusal {
    const refusal = refusalOf(limits, request, balances) ?? roundedRefusal(limits, request);
    const ms = this.msUntil(refusal);
    if (ms !== null) this.refusals.remember({ refusal, until: performance.now() + ms });
    return refusal;
  }

  /** How long similar calls are certain to be refused. */
  private msUntil({ name, seconds, isSure }: LimitRefusal): number | null {
    if (seconds !== null) return seconds * 1000;
    if (!isSure) return null;
    const now = this.clock.date();
    const end = endOf(PERIODS[name] ?? 'total', now);
    return end === null ? TOTAL_REMEMBERED_MS : end.getTime() - now.getTime();
  }
}

function hasBudget({ values }: LimitedBalance): boolean {
  const { budgetDayNanodollars, budgetMonthNanodollars, budgetTotalNanodollars } = values;
  return budgetDayNanodollars !== null || budgetMonthNanodollars !== null || budgetTotalNanodollars !== null;
}
