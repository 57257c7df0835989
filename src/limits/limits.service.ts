import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Subject } from 'rxjs';
import type { DataSource } from 'typeorm';
import type { Caller } from '../auth/caller.types.js';
import type { GatewayError } from '../common/gateway.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { ClockService } from '../database/clock.service.js';
import type {
  Admission,
  AdmissionRequest,
  BudgetPeriod,
  ClosedCall,
  LimitedBalance,
  OpenCall,
  WorstCaseCost,
} from '../ledger/call-record.types.js';
import { UsageLedgerService } from '../ledger/usage-ledger.service.js';
import type { Model } from '../models/model.types.js';
import { LimitMetricsService } from '../telemetry/answer-metrics.service.js';
import type { ChatCompletionRequest } from '../upstreams/contract/chat.types.js';
import { nativeFormOf } from '../upstreams/tokens/native-walk.js';
import { UpstreamAccesses } from '../upstreams/upstream-access.js';
import { endOf, limitError, limitHeaders } from './limit.errors.js';
import {
  balancesOf,
  type LimitRefusal,
  neverPasses,
  RefusalMemory,
  type RememberedRefusal,
  toRefusal,
} from './limit.refusal.js';
import { unpricedOptionError, withFileTool } from './paid-options.js';
import { Standings, takeFromRates } from './standings.js';
import { UnderestimatesService } from './underestimates.service.js';
import { BUDGET_NAMES, LIMITS, type LimitName } from './values/limit-values.js';
import { worstCase } from './worst-case.js';

/** Total budgets do not reset. A changed limit applies immediately. */
const TOTAL_REMEMBERED_MS = 3_600_000;

/** Also apply to replays. */
const ALSO_OF_REPLAYS: readonly LimitName[] = ['requestsPerMinute'];

export interface Allowance {
  /** Nano-dollars; null: no budget applies. */
  readonly reserved: bigint | null;
  /** Tokens per choice, when a budget allows fewer than the call asked for. */
  readonly outputCeiling: number | null;
  /** The most calls of each tool of the provider, when a budget allows fewer than the call asked for. */
  readonly hostedCalls: number | null;
  /** Whether a budget cannot pay for the call's fallbacks, so that only free models may serve it. */
  readonly isFreeOnly: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Of a caller without limits, and of a call that is served without the database. */
export const UNLIMITED: Allowance = {
  reserved: null,
  outputCeiling: null,
  hostedCalls: null,
  isFreeOnly: false,
  headers: {},
};

/** What a call needs at most in a cheaper form, for which it is asked if a budget refuses the call. */
export interface CheaperForm {
  /** Null: there is no such form. */
  readonly request: () => AdmissionRequest | null;
  /** Whether only free models may serve it. */
  readonly isFreeOnly: boolean;
}

/** The part of a budget that a prompt may take which tools make the model read several times, unless it has one call of each. */
const SHARE_OF_BUDGET = 8n;

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
  readonly required: number;
}

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
    private readonly underestimates: UnderestimatesService,
    private readonly accesses: UpstreamAccesses,
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** What a call needs at most, whichever of the models serves it; null: the caller has no limits. */
  admissionRequest(
    { limits, userId }: Caller,
    request: ChatCompletionRequest,
    models: readonly Model[],
    tokens: number,
  ): AdmissionRequest | null {
    if (limits.length === 0) return null;
    const balances = balancesOf(limits);
    if (balances.length === 0) return null;
    const budgets = balances.flatMap(budgetsOf);
    if (budgets.length === 0) return { balances, tokens, money: null };
    const share = budgets.reduce((least, budget) => (budget < least ? budget : least)) / SHARE_OF_BUDGET;
    return { balances, tokens, money: this.worstCase(request, models, userId, share) };
  }

  /** What the call needs with one call of each tool of the provider. Null: it needs no less. */
  withFewestHostedCalls(
    { userId }: Caller,
    request: ChatCompletionRequest,
    models: readonly Model[],
    { balances, tokens, money }: AdmissionRequest,
  ): AdmissionRequest | null {
    const targets = models.flatMap((model) => model.targets);
    if (money === null || !this.accesses.rereadsPrompt(targets)) return null;
    const least = this.worstCase(request, models, userId, 0n);
    return least.promptPrice < money.promptPrice ? { balances, tokens, money: least } : null;
  }

  /** The highest cost of a call of this user. `promptShare`: see `WorstCaseRules`. */
  worstCase(
    request: ChatCompletionRequest,
    models: readonly Model[],
    userId: string,
    promptShare: bigint | null = null,
  ): WorstCaseCost {
    const targets = models.flatMap((model) => model.targets);
    return worstCase(withFileTool(request, this.accesses.fileTool(targets)), models, {
      hostedToolsPerCall: this.settings.hostedToolsPerCall,
      searchesUnasked: this.accesses.searchesUnasked(targets, request),
      rereadsPrompt: this.accesses.rereadsPrompt(targets),
      promptShare,
      schemaGrowth: this.accesses.schemaGrowth(targets),
      factors: this.underestimates.factorsOf(userId, models),
    });
  }

  /** Whether a model searches the web at all of its targets, even if the request has no such tool. */
  alwaysSearches(request: ChatCompletionRequest, { targets }: Model): boolean {
    return targets.every((target) => this.accesses.searchesUnasked([target], request));
  }

  /** A 400 for an option that costs extra if the model has prices but none for it. */
  unpricedOptionError(request: ChatCompletionRequest, model: Model): GatewayError | null {
    const searchesUnasked = model.price.isPaid && this.accesses.searchesUnasked(model.targets, request);
    return unpricedOptionError(this.priced(request, model), model, searchesUnasked);
  }

  /** The request with the tool that a model needs for its files. */
  priced(request: ChatCompletionRequest, { targets }: Model): ChatCompletionRequest {
    return withFileTool(request, this.accesses.fileTool(targets));
  }

  /** How many calls of a tool that the provider runs a budget pays: the request's limit, at most the setting. */
  hostedCalls(request: ChatCompletionRequest): number {
    const own = nativeFormOf(request)?.max_tool_calls;
    const { hostedToolsPerCall } = this.settings;
    return typeof own === 'number' && own >= 0 ? Math.min(own, hostedToolsPerCall) : hostedToolsPerCall;
  }

  /** Called before the body is read. A 429 if this process knows that the caller has no requests left, else null. */
  refusalOfCaller({ limits }: Caller): GatewayError | null {
    if (limits.length === 0) return null;
    const request: AdmissionRequest = { balances: balancesOf(limits), tokens: 0, money: null };
    const never = neverPasses(limits, request);
    if (never?.name === 'requestsPerMinute') return this.refuse(never, request);
    const found = this.refusals.find(request, ALSO_OF_REPLAYS);
    return found && this.refuse(inTime(found), request);
  }

  /**
   * Opens the row of a call with limits. Rejects with a 429 if a limit refuses it, which `ledger/sql/limit_open.sql` and
   * `limit_open_ordered.sql` decide. `cheaper`: its forms that are tried in turn if a budget refuses it.
   */
  open(
    caller: Caller,
    call: OpenCall,
    request: AdmissionRequest,
    cheaper: readonly CheaperForm[] = [],
  ): Promise<Allowance> {
    const { limits } = caller;
    const known = this.knownRefusal(limits, request);
    if (known !== null) {
      return this.openCheaper(caller, call, known, cheaper) ?? Promise.reject(this.refuse(known, request));
    }
    return this.ledger.open(call).then((admission) => {
      if (admission === null) return UNLIMITED;
      const headers = this.noted(request, admission.remaining);
      if (admission.isAdmitted) return toAllowance(admission, request, headers);
      const refusal = this.remembered(toRefusal(limits, request, admission.refusal));
      const opened = this.openCheaper(caller, call, refusal, cheaper);
      if (opened !== null) return opened;
      this.noteUsedUp(refusal);
      throw this.refuse(refusal, request, headers);
    });
  }

  private openCheaper(
    caller: Caller,
    call: OpenCall,
    { name }: LimitRefusal,
    forms: readonly CheaperForm[],
  ): Promise<Allowance> | null {
    if (!LIMITS[name].period) return null;
    for (const [index, { request: requestOf, isFreeOnly }] of forms.entries()) {
      const request = requestOf();
      if (request === null) continue;
      const opened = this.open(caller, { ...call, admissionRequest: request }, request, forms.slice(index + 1));
      return isFreeOnly ? opened.then((allowance) => ({ ...allowance, isFreeOnly })) : opened;
    }
    return null;
  }

  /**
   * A replay counts as one request, and uses no tokens, concurrent calls or budget. Resolves to the reply's headers;
   * rejects with a 429 if the caller has no requests left.
   */
  async takeRequest({ limits }: Caller): Promise<Readonly<Record<string, string>>> {
    const balances = balancesOf(limits);
    const request: AdmissionRequest = { balances, tokens: 0, money: null };
    if (!balances.some(({ values }) => values.requestsPerMinute !== null)) return this.standings.headersOf(request);
    const { refusal, remaining } = await takeFromRates(this.dataSource, balances);
    const headers = this.noted(request, remaining);
    if (refusal === null) return headers;
    throw this.refuse(this.remembered(toRefusal(limits, request, refusal)), request, headers);
  }

  /** Forgets refusals for lack of a slot, and reports a cost above the reservation. */
  ended(call: ClosedCall, { reserved }: Allowance): void {
    const { admissionRequest, requestId, upstream, costNanodollars } = call;
    if (!admissionRequest) return;
    this.refusals.forgetConcurrentCalls(admissionRequest);
    if (reserved === null || costNanodollars <= reserved) return;
    this.underestimates.note(call, reserved);
    this.logger.warn('A call cost more than was reserved for it: it is charged in full.', { requestId });
    this.overCeiling.next({ requestId, upstream, at: this.clock.date() });
  }

  /** Stores what remains and returns the headers that show it. */
  private noted(request: AdmissionRequest, remaining: Admission['remaining']): Record<string, string> {
    this.standings.note(request, remaining);
    return limitHeaders(request, remaining);
  }

  private noteUsedUp({ name, isSure, required, balance: { id } }: LimitRefusal): void {
    const { period } = LIMITS[name];
    if (isSure && period) this.usedUp.next({ id, period, required });
  }

  private knownRefusal(limits: Caller['limits'], request: AdmissionRequest): LimitRefusal | null {
    const never = neverPasses(limits, request);
    if (never !== null) return never;
    const found = this.refusals.find(request);
    return found && inTime(found);
  }

  private refuse(
    refusal: LimitRefusal,
    request: AdmissionRequest,
    headers: Readonly<Record<string, string>> = this.standings.headersOf(request),
  ): GatewayError {
    this.metrics.refused(LIMITS[refusal.name].metric, refusal.scope);
    return limitError(refusal, this.clock.date(), headers);
  }

  private remembered(refusal: LimitRefusal): LimitRefusal {
    const ms = this.msUntil(refusal);
    if (ms !== null) this.refusals.remember({ refusal, until: performance.now() + ms });
    return refusal;
  }

  /** How long similar calls are certain to be refused. */
  private msUntil({ name, seconds, isSure }: LimitRefusal): number | null {
    if (seconds !== null) return seconds * 1000;
    if (!isSure) return null;
    const now = this.clock.date();
    const end = endOf(LIMITS[name].period ?? 'total', now);
    return end === null ? TOTAL_REMEMBERED_MS : end.getTime() - now.getTime();
  }
}

function budgetsOf({ values }: LimitedBalance): bigint[] {
  return BUDGET_NAMES.flatMap((name) => values[name] ?? []);
}

/** The refusal with the time that is left now. */
function inTime({ refusal, until }: RememberedRefusal): LimitRefusal {
  return { ...refusal, seconds: refusal.seconds === null ? null : (until - performance.now()) / 1000 };
}

function toAllowance(
  { reserved, outputCeiling }: Pick<Allowance, 'reserved' | 'outputCeiling'>,
  { money }: AdmissionRequest,
  headers: Record<string, string>,
): Allowance {
  if (outputCeiling !== null) headers['x-gateway-output-ceiling'] = String(outputCeiling);
  return { reserved, outputCeiling, hostedCalls: money?.hostedCalls ?? null, isFreeOnly: false, headers };
}
