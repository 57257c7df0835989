import type { Model } from '../../models/model.types.js';
import type { RefusedRequest, UsageCall, UsageCallDetail } from '../../usage/reports/usage-call.types.js';
import type { UsageReport, UsageSums } from '../../usage/reports/usage-report.types.js';
import { toCost, toDollars } from '../shared/spending.js';
import { toChargeView } from './call-charge.js';
import type { CallDetailView, CallProjectView, CallView } from './dto/usage-call.view.js';
import type { UsageGroupView, UsagePointView, UsageReportView, UsageTotalsView } from './dto/usage-report.view.js';
import type { UsageLabel } from './usage-labels.service.js';

/** Group ids that no model, key, user, upstream or status has. */
export const NO_GROUP = '~none';
const OTHER_GROUPS = '~other';

/** The name of a group, by its id. */
export type GroupLabels = (id: string | null) => UsageLabel;

export function toTotalsView({ costNanodollars, ...sums }: UsageSums): UsageTotalsView {
  return { ...sums, ...toCost(costNanodollars) };
}

export function toReportView(
  report: UsageReport,
  {
    zone,
    granularity,
    unpricedCalls,
    uncharged,
  }: Pick<UsageReportView, 'zone' | 'granularity' | 'unpricedCalls'> & { uncharged: bigint | null },
  labelOf: GroupLabels,
): UsageReportView {
  const { replicaLagMs, totals, previous, groups, groupCount, groupsWithSeries, others, series, ...span } = report;
  return {
    ...span,
    zone,
    granularity,
    replicaLagSeconds: replicaLagMs === null ? null : Math.round(replicaLagMs / 1000),
    unpricedCalls,
    unchargedUsd: uncharged === null ? null : toDollars(uncharged),
    totals: toTotalsView(totals),
    previous: previous && toTotalsView(previous),
    groups: groups.map(({ id, sums }, rank) => toGroupView(id, sums, labelOf(id), rank < groupsWithSeries)),
    groupsLeftOut: groupCount - groups.length,
    others: others && toTotalsView(others),
    series: series.map(toPointView),
  };
}

export function toGroupView(id: string | null, sums: UsageSums, label: UsageLabel, hasSeries: boolean): UsageGroupView {
  return { id: id ?? NO_GROUP, ...label, hasSeries, totals: toTotalsView(sums) };
}

function toPointView({ start, groups, rest }: UsageReport['series'][number]): UsagePointView {
  const named = groups.map(({ id, sums }) => [id ?? NO_GROUP, toTotalsView(sums)] as const);
  const others = rest ? [[OTHER_GROUPS, toTotalsView(rest)] as const] : [];
  return { start, groups: Object.fromEntries([...named, ...others]) };
}

/** Whose call it is, in words. */
export interface CallNames {
  readonly key: UsageLabel;
  readonly user: UsageLabel;
  readonly project: CallProjectView | null;
}

export function toCallView(call: UsageCall | RefusedRequest, { key, user, project }: CallNames): CallView {
  const names = {
    keyName: key.label,
    keyDisplay: call.keyDisplay ?? key.detail,
    userName: user.label,
    projectName: project?.name ?? null,
  };
  if (call.status === 'refused') return { ...NOT_CALLED, ...call, ...names };
  const { tokens, costNanodollars, planId: _, ...rest } = call;
  return {
    ...rest,
    ...names,
    httpStatus: null,
    message: null,
    inputTokens: tokens.input,
    cachedTokens: tokens.cached,
    outputTokens: tokens.output,
    reasoningTokens: tokens.reasoning,
    ...toCost(costNanodollars),
  };
}

/** Of a refused request: no upstream was called, so there is nothing to count. */
const NOT_CALLED = {
  servedModel: null,
  upstream: null,
  upstreamModel: null,
  simulated: false,
  stream: false,
  finishReason: null,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  tokenSource: null,
  ...toCost(0n),
  firstTokenMs: null,
  totalMs: null,
};

/** `model`: the one that served the call. */
export function toCallDetailView(
  call: UsageCallDetail | RefusedRequest,
  model: Model | undefined,
  names: CallNames,
  content: Pick<CallDetailView, 'hasContent' | 'mayReadContent'>,
): CallDetailView {
  const { project } = names;
  if (call.status === 'refused') {
    const none = { planId: null, charge: null, attempts: [], hasContent: false };
    return { ...toCallView(call, names), project, ...content, ...none };
  }
  const { attempts, charge: _, priceVersion: __, ...rest } = call;
  const { planId } = call;
  return { ...toCallView(rest, names), project, planId, charge: toChargeView(call, model), attempts, ...content };
}
