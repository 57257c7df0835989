import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { UsageAmountsView } from './usage-amounts.view.js';

const PERCENTILE = { type: Number, nullable: true, description: 'Milliseconds, to within 5 %; null: no call has it.' };

/** Totals of calls. */
export class UsageTotalsView extends UsageAmountsView {
  @ApiProperty({ type: 'integer', description: 'Accepted requests, running ones included.' })
  requests!: number;

  @ApiProperty({ type: 'integer', description: 'Requests under way: they have no tokens, cost or times yet.' })
  running!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Failed and interrupted requests; one that its caller gave up is none.',
  })
  errors!: number;

  @ApiProperty({ type: 'integer', description: 'Requests that their callers gave up.' })
  aborted!: number;

  @ApiProperty(PERCENTILE)
  p50TotalMs!: number | null;

  @ApiProperty(PERCENTILE)
  p95TotalMs!: number | null;

  @ApiProperty(PERCENTILE)
  p50FirstTokenMs!: number | null;

  @ApiProperty(PERCENTILE)
  p95FirstTokenMs!: number | null;
}

export class UsageGroupView {
  @ApiProperty({
    description:
      "A model's, key's, user's or upstream's id or a status; `~none`: no upstream was called, or the error was the caller's own.",
  })
  id!: string;

  @ApiProperty()
  label!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The display form of a key, the name of a user.' })
  detail!: string | null;

  @ApiProperty({ description: 'Whether the series tell it apart; the others are together in `~other`.' })
  hasSeries!: boolean;

  @ApiProperty({ type: UsageTotalsView })
  totals!: UsageTotalsView;
}

@ApiExtraModels(UsageTotalsView)
export class UsagePointView {
  @ApiProperty({ format: 'date-time' })
  start!: Date;

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(UsageTotalsView) },
    description: 'By the group’s id, without groups that have no call in it; `~other` is all that have no series.',
  })
  groups!: Record<string, UsageTotalsView>;
}

export class UsageReportView {
  @ApiProperty({ format: 'date-time', description: 'As asked for, but the beginning of a quarter of an hour.' })
  from!: Date;

  @ApiProperty({
    format: 'date-time',
    description: 'As asked for, but the end of a quarter of an hour, and not after the present one.',
  })
  to!: Date;

  @ApiProperty({ example: 'Europe/Berlin' })
  zone!: string;

  @ApiProperty({ enum: ['quarter', 'hour', 'day'] })
  granularity!: 'quarter' | 'hour' | 'day';

  @ApiProperty({ format: 'date-time', description: 'Everything that had happened by then is in it.' })
  upToDateAt!: Date;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How far the replica that was read lies behind at most; null: the database itself was read.',
  })
  replicaLagSeconds!: number | null;

  @ApiProperty({
    type: 'integer',
    description:
      'Answered calls of models that have no price now: they count as $0. By the model that was asked for; simulated ones are none.',
  })
  unpricedCalls!: number;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description:
      'What upstreams may bill beside the costs, by an estimate, and no caller is charged: attempts that failed or that another one outran, and calls that were left beyond what was reserved. Null where the report is of some users, keys or statuses only.',
  })
  unchargedUsd!: number | null;

  @ApiProperty({ type: UsageTotalsView })
  totals!: UsageTotalsView;

  @ApiProperty({
    type: UsageTotalsView,
    nullable: true,
    description: 'Of the stretch of the same length before `from`.',
  })
  previous!: UsageTotalsView | null;

  @ApiProperty({ type: [UsageGroupView], description: 'The first 50 groups in the order of `rankBy`.' })
  groups!: UsageGroupView[];

  @ApiProperty({ type: 'integer', description: 'Groups behind those; `/usage/groups` and an export have them.' })
  groupsLeftOut!: number;

  @ApiProperty({ type: UsageTotalsView, nullable: true, description: 'The groups that are left out, together.' })
  others!: UsageTotalsView | null;

  @ApiProperty({ type: [UsagePointView], description: 'Every quarter-hour, hour or day, those without a call, too.' })
  series!: UsagePointView[];
}

/** A page of a report's groups. */
export class UsageGroupPageView {
  @ApiProperty({ type: 'integer', description: 'How many groups there are.' })
  groupCount!: number;

  @ApiProperty({ type: [UsageGroupView] })
  groups!: UsageGroupView[];
}
