import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { endOfId } from '../../common/ids.js';
import type { Model } from '../../models/model.types.js';
import type { RefusedRequest, UsageCall, UsageCallDetail, UsageReport, UsageSums } from '../../usage/usage.types.js';
import { Integer, IntegerOrNull, NumberOrNull, TextOrNull, toCost, toDollars, ViewOrNull } from '../shared/views.js';
import { toChargeView } from './call-charge.js';
import { type CallDetail, type CallProjectView, type CallView, UsageAmountsView } from './usage-call.view.js';
import type { UsageLabel } from './usage-scope.service.js';

const PERCENTILE =
  'Milliseconds, accurate to 5 %, of requests that an upstream answered successfully; null if there are none.';

/** Totals of calls. */
class UsageTotalsView extends UsageAmountsView {
  @Integer('Accepted requests, including running ones; without refused ones.')
  requests!: number;

  @Integer(
    'Requests that an upstream answered. The error rate is `errors / (succeeded + errors)`. Of an upstream, it includes requests that failed because of their callers, which are not errors of the upstream.',
  )
  succeeded!: number;

  @Integer('Requests that the simulator answered, which are not among `succeeded`.')
  simulated!: number;

  @Integer('How many requests the percentiles are of.')
  timed!: number;

  @Integer('Running requests: they have no tokens, cost or times yet.')
  running!: number;

  @Integer('Failed and interrupted requests, without those that their callers aborted.')
  errors!: number;

  @Integer('Requests that their callers aborted.')
  aborted!: number;

  @Integer(
    'Requests that the gateway refused before it called a model: because of their key, a limit or a mistake in them. Counted by the hour: an hour counts in the step in which it starts.',
  )
  refused!: number;

  @NumberOrNull(PERCENTILE)
  p50TotalMs!: number | null;

  @NumberOrNull(PERCENTILE)
  p95TotalMs!: number | null;

  @NumberOrNull(PERCENTILE)
  p50FirstTokenMs!: number | null;

  @NumberOrNull(PERCENTILE)
  p95FirstTokenMs!: number | null;
}

class UsageGroupView {
  @ApiProperty({
    description:
      'The id of a model, key, user, project or upstream, or a status. `~none`: requests without one; of upstreams, also those whose caller caused the error.',
  })
  id!: string;

  @ApiProperty()
  label!: string;

  @TextOrNull('The display form of a key, the name of a user.')
  detail!: string | null;

  @ApiProperty({ description: 'Whether it has its own series; the others share `~other`.' })
  hasSeries!: boolean;

  @ApiProperty({ type: UsageTotalsView })
  totals!: UsageTotalsView;
}

@ApiExtraModels(UsageTotalsView)
class UsagePointView {
  @ApiProperty()
  start!: Date;

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(UsageTotalsView) },
    description: 'By the group’s id, without groups that have no call; `~other` is all groups without a series.',
  })
  groups!: Record<string, UsageTotalsView>;
}

export class UsageReportView {
  @ApiProperty({ description: 'As requested, rounded to the start of a quarter-hour.' })
  from!: Date;

  @ApiProperty({
    description: 'As requested, rounded to the end of a quarter-hour, at most the current one.',
  })
  to!: Date;

  @ApiProperty({ example: 'Europe/Berlin' })
  zone!: string;

  @ApiProperty({ enum: ['quarter', 'hour', 'day', 'month'] })
  granularity!: 'quarter' | 'hour' | 'day' | 'month';

  @ApiProperty({ description: 'The report includes everything up to this time.' })
  upToDateAt!: Date;

  @IntegerOrNull('The greatest possible lag of the replica; null if the primary was read.')
  replicaLagSeconds!: number | null;

  @Integer('Answered calls whose requested model has no price now; they count as $0. Simulated calls are not included.')
  unpricedCalls!: number;

  @NumberOrNull(
    'Estimated additional cost that upstreams may bill but no caller is charged for: attempts that failed or lost to another one, and abandoned calls, beyond their reservation. Null if the report is filtered by user, key or status.',
  )
  unchargedUsd!: number | null;

  @ApiProperty({ type: UsageTotalsView })
  totals!: UsageTotalsView;

  @ViewOrNull(UsageTotalsView, 'The period of the same length before `from`.')
  previous!: UsageTotalsView | null;

  @ApiProperty({ type: [UsageGroupView], description: 'The first 50 groups in the order of `rankBy`.' })
  groups!: UsageGroupView[];

  @Integer('The number of further groups; `/usage/groups` and an export have them.')
  groupsLeftOut!: number;

  @ViewOrNull(UsageTotalsView, 'The sum of the further groups.')
  others!: UsageTotalsView | null;

  @ApiProperty({
    type: [UsagePointView],
    description: 'Every quarter-hour, hour or day, including those without calls.',
  })
  series!: UsagePointView[];
}

/** A page of a report's groups. */
export class UsageGroupPageView {
  @Integer('The number of groups.')
  groupCount!: number;

  @ApiProperty({ type: [UsageGroupView] })
  groups!: UsageGroupView[];
}

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
  if (call.status === 'refused') {
    const { clientAddress: _, userAgent: __, ...rest } = call;
    return { ...NOT_CALLED, ...rest, ...names };
  }
  const { tokens, costNanodollars, planId: _, ...rest } = call;
  return {
    ...rest,
    ...names,
    answerId: answerIdOf(call),
    inputTokens: tokens.input,
    cachedTokens: tokens.cached,
    outputTokens: tokens.output,
    reasoningTokens: tokens.reasoning,
    ...toCost(costNanodollars),
  };
}

/** Of a refused request: no upstream was called, so there is nothing to count. */
const NOT_CALLED = {
  answerId: null,
  upstreamStatus: null,
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
  content: Pick<CallDetail, 'isPlayground' | 'guards' | 'hasContent' | 'mayReadContent'>,
): CallDetail {
  const { project } = names;
  const { clientAddress, userAgent } = call;
  if (call.status === 'refused') {
    const none = { planId: null, charge: null, attempts: [], hasContent: false };
    return { ...toCallView(call, names), clientAddress, userAgent, project, ...content, ...none };
  }
  const { attempts, charge: _, priceVersion: __, ...rest } = call;
  const { planId } = call;
  const charge = toChargeView(call, model);
  return { ...toCallView(rest, names), clientAddress, userAgent, project, planId, charge, attempts, ...content };
}

/** The prefixes of the ids in answers of each API; embeddings have no id. */
const ID_PREFIXES: Readonly<Record<string, string>> = {
  'chat.completions': 'chatcmpl-',
  completions: 'cmpl-',
  messages: 'msg_',
  responses: 'resp_',
};

/** The id in the client's answer: the provider's own, or ours with the prefix of the API. */
function answerIdOf({ answerId, id, api, status, httpStatus }: Omit<UsageCall, 'planId'>): string | null {
  const prefix = ID_PREFIXES[api];
  const hasAnswer = status !== 'open' && (httpStatus ?? 200) === 200;
  return answerId ?? (prefix !== undefined && hasAnswer ? prefix + endOfId(id) : null);
}
