import { ApiProperty } from '@nestjs/swagger';
import { OptionalChoice, OptionalZone } from '../../dto/request-fields.js';
import { Integer, IntegerOrNull, TextOrNull, TimeOrNull } from '../../dto/view-properties.js';
import { FailingUpstreamView } from '../../upstreams/dto/upstream-view.dto.js';

/** The query of the overview. */
export class OverviewQuery {
  @OptionalZone({ description: 'The IANA time zone for days and months.', example: 'UTC' })
  zone: string = 'UTC';

  @OptionalChoice(['mine', 'all'], { description: "Whose calls: your own, or for admins everyone's." })
  scope: 'mine' | 'all' = 'mine';
}

export class OverviewTotalsView {
  @Integer()
  requests!: number;

  @Integer('The error rate is `errors / (succeeded + errors)`.')
  succeeded!: number;

  @Integer('Requests that were refused before a model was called, which are not among `requests`. By the hour.')
  refused!: number;

  @Integer('Failed requests, without those that their callers aborted.')
  errors!: number;

  @Integer('Input and output tokens.')
  tokens!: number;

  @ApiProperty({ description: 'Dollars.' })
  costUsd!: number;
}

export class OverviewPointView extends OverviewTotalsView {
  @ApiProperty()
  start!: Date;
}

export class OverviewSpanView {
  @ApiProperty()
  from!: Date;

  @ApiProperty()
  to!: Date;

  @Integer('Answered calls whose requested model has no price now; they count as $0. Simulated calls are not included.')
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

  @TimeOrNull('Null for the default plan.')
  since!: Date | null;

  @TimeOrNull('Null: no end is set.')
  until!: Date | null;
}

export class OverviewModelView {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  displayName!: string;
}

export class OverviewErrorView {
  @Integer(
    'How many errors of the same key and model have the same code and message; the other fields describe the newest.',
  )
  count!: number;

  @TextOrNull('Its id in the list of requests; null if it is not in that list.')
  id!: string | null;

  @ApiProperty()
  at!: Date;

  @ApiProperty({ description: "Finds the request in the gateway's log." })
  requestId!: string;

  @TextOrNull()
  model!: string | null;

  @IntegerOrNull('The HTTP status of the response, if known.')
  status!: number | null;

  @ApiProperty()
  code!: string;

  @TextOrNull('The error message for the caller of a refused request.')
  message!: string | null;

  @TextOrNull()
  keyName!: string | null;

  @TextOrNull()
  userName!: string | null;
}

export class OverviewView {
  @ApiProperty({ description: 'Whether a call of the person has ever succeeded.' })
  hasCalledSuccessfully!: boolean;

  @TimeOrNull()
  firstCallAt!: Date | null;

  @ApiProperty({ description: 'Whether the person has a key that works.' })
  hasKey!: boolean;

  @TextOrNull('The model to try first: a working one before others, then the cheapest; null if none can be used.')
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

  @TimeOrNull()
  at!: Date | null;

  @TextOrNull()
  model!: string | null;
}
