import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Integer, IntegerOrNull, NumberOrNull, TextOrNull, ViewOrNull } from '../../dto/view-properties.js';
import { UsageAmountsView } from './usage-amounts.view.js';

const PERCENTILE = 'Milliseconds, accurate to 5 %; null if no call has it.';

/** Totals of calls. */
export class UsageTotalsView extends UsageAmountsView {
  @Integer('Accepted requests, including running ones; without refused ones.')
  requests!: number;

  @Integer(
    'The error rate is `errors / (succeeded + errors)`. Of an upstream, it includes requests that failed because of their callers, which are not errors of the upstream.',
  )
  succeeded!: number;

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

export class UsageGroupView {
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
export class UsagePointView {
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

  @ApiProperty({ enum: ['quarter', 'hour', 'day'] })
  granularity!: 'quarter' | 'hour' | 'day';

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
