import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsTimeZone } from 'class-validator';
import { FailingUpstreamView } from '../../upstreams/dto/upstream-view.dto.js';

/** The query of the overview. */
export class OverviewQuery {
  @ApiPropertyOptional({ description: 'The IANA time zone for days and months.', example: 'UTC' })
  @IsOptional()
  @IsTimeZone({ message: "zone must be an IANA time zone such as 'Europe/Berlin'" })
  zone: string = 'UTC';

  @ApiPropertyOptional({ enum: ['mine', 'all'], description: "Whose calls: your own, or for admins everyone's." })
  @IsOptional()
  @IsIn(['mine', 'all'])
  scope: 'mine' | 'all' = 'mine';
}

export class OverviewTotalsView {
  @ApiProperty({ type: 'integer' })
  requests!: number;

  @ApiProperty({ type: 'integer', description: 'The error rate is `errors / (succeeded + errors)`.' })
  succeeded!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Requests that were refused before a model was called, which are not among `requests`. By the hour.',
  })
  refused!: number;

  @ApiProperty({ type: 'integer', description: 'Failed requests, without those that their callers aborted.' })
  errors!: number;

  @ApiProperty({ type: 'integer', description: 'Input and output tokens.' })
  tokens!: number;

  @ApiProperty({ description: 'Dollars.' })
  costUsd!: number;
}

export class OverviewPointView extends OverviewTotalsView {
  @ApiProperty({ format: 'date-time' })
  start!: string;
}

export class OverviewSpanView {
  @ApiProperty({ format: 'date-time' })
  from!: string;

  @ApiProperty({ format: 'date-time' })
  to!: string;

  @ApiProperty({
    type: 'integer',
    description:
      'Answered calls whose requested model has no price now; they count as $0. Simulated calls are not included.',
  })
  unpricedCalls!: number;

  @ApiProperty({ type: OverviewTotalsView })
  totals!: OverviewTotalsView;

  @ApiProperty({ type: OverviewTotalsView, description: 'The same part of the previous day or month.' })
  previous!: OverviewTotalsView;

  @ApiProperty({
    type: [OverviewPointView],
    description: 'Hours of the day, or days of the month, including those without calls.',
  })
  points!: OverviewPointView[];
}

export class OverviewPlanView {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null for the default plan.' })
  since!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null: no end is set.' })
  until!: string | null;
}

export class OverviewModelView {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  displayName!: string;
}

export class OverviewErrorView {
  @ApiProperty({
    type: 'integer',
    description:
      'How many errors of the same key and model have the same code and message; the other fields describe the newest.',
  })
  count!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Its id in the list of requests; null if it is not in that list.',
  })
  id!: string | null;

  @ApiProperty({ format: 'date-time' })
  at!: string;

  @ApiProperty({ description: "Finds the request in the gateway's log." })
  requestId!: string;

  @ApiProperty({ type: String, nullable: true })
  model!: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The HTTP status of the response, if known.',
  })
  status!: number | null;

  @ApiProperty()
  code!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The error message for the caller of a refused request.' })
  message!: string | null;

  @ApiProperty({ type: String, nullable: true })
  keyName!: string | null;

  @ApiProperty({ type: String, nullable: true })
  userName!: string | null;
}

export class OverviewView {
  @ApiProperty({ description: 'Whether a call of the person has ever succeeded.' })
  hasCalledSuccessfully!: boolean;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  firstCallAt!: string | null;

  @ApiProperty({ description: 'Whether the person has a key that works.' })
  hasKey!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The model to try first: a working one before others, then the cheapest; null if none can be used.',
  })
  exampleModel!: string | null;

  @ApiProperty({ description: 'Whether the simulator answers for all of the person’s models, at no cost.' })
  simulated!: boolean;

  @ApiProperty({ type: [FailingUpstreamView], description: 'Upstreams that are failing; only for admins.' })
  failing!: FailingUpstreamView[];

  @ApiProperty({ type: OverviewSpanView })
  today!: OverviewSpanView;

  @ApiProperty({ type: OverviewSpanView })
  month!: OverviewSpanView;

  @ApiProperty({ type: OverviewPlanView })
  plan!: OverviewPlanView;

  @ApiProperty({ type: [OverviewModelView], description: 'The models that the pro plan would add.' })
  proAdds!: OverviewModelView[];

  @ApiProperty({ type: [OverviewErrorView], description: 'The newest ten; identical ones are combined.' })
  recentErrors!: OverviewErrorView[];
}

export class FirstCallView {
  @ApiProperty()
  done!: boolean;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  at!: string | null;

  @ApiProperty({ type: String, nullable: true })
  model!: string | null;
}
