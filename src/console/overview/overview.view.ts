import { ApiProperty } from '@nestjs/swagger';
import { wallClockOf } from '../../common/wall-clock.js';
import { OptionalScope, OptionalZone, type OwnerScope } from '../shared/fields.js';
import { Integer, IntegerOrNull, TextOrNull, TimeOrNull, ViewOrNull } from '../shared/views.js';
import { FailingUpstreamView } from '../upstreams/upstream.view.js';

/** The query of the overview. */
export class OverviewQuery {
  @OptionalZone({ description: 'The IANA time zone for days and months.', example: 'UTC' })
  zone: string = 'UTC';

  @OptionalScope('mine', 'Whose calls')
  scope: OwnerScope = 'mine';
}

export class OverviewTotalsView {
  @Integer()
  requests!: number;

  @Integer('Without simulated requests. The error rate is `errors / (succeeded + errors)`.')
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

  @TextOrNull(
    'The error message for the caller of a refused request; of a failed one, the first line of the provider’s.',
  )
  message!: string | null;

  @TextOrNull('The upstream that a failed request tried last.')
  upstream!: string | null;

  @IntegerOrNull('The status of the provider’s answer to a failed request.')
  upstreamStatus!: number | null;

  @TextOrNull()
  keyName!: string | null;

  @TextOrNull()
  userName!: string | null;
}

export class OverviewView {
  @ApiProperty({ description: 'Whether a call of the person has ever succeeded.' })
  hasCalledSuccessfully!: boolean;

  @ApiProperty({ description: 'Whether any request of the person has arrived, also a failed or refused one.' })
  hasCalled!: boolean;

  @TimeOrNull()
  firstCallAt!: Date | null;

  @ApiProperty({ description: 'Whether the person has a key that works.' })
  hasKey!: boolean;

  @TextOrNull('The model to try first: the cheapest that works, never a failing one; null if there is none.')
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

  @ViewOrNull(OverviewErrorView, 'The newest failed or refused request, until one succeeds.')
  failure!: OverviewErrorView | null;
}

/** A span of time that includes its start but not its end. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

type Unit = 'day' | 'month';
type Clock = ReturnType<typeof wallClockOf>;

/** Today or this month so far, in the calendar of a time zone. */
export function currentSpan(unit: Unit, now: Date, zone: string): Span {
  return { from: startOf(unit, now, wallClockOf(zone), 0), to: now };
}

/** The start of the previous day or month, for as long as the current one has lasted; at most all of it. */
export function previousSpan(unit: Unit, now: Date, zone: string): Span {
  const clock = wallClockOf(zone);
  const current = startOf(unit, now, clock, 0);
  const from = startOf(unit, now, clock, -1);
  const sameStretch = from.getTime() + now.getTime() - current.getTime();
  return { from, to: new Date(Math.min(sameStretch, current.getTime())) };
}

function startOf(unit: Unit, now: Date, clock: Clock, steps: number): Date {
  const shown = new Date(clock(now));
  const [year, month, day] = [shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate()];
  return instantOf(unit === 'day' ? Date.UTC(year, month, day + steps) : Date.UTC(year, month + steps, 1), clock);
}

/** The instant at which clocks of the zone show `wall`, a local time written as if it were UTC. */
function instantOf(wall: number, clock: Clock): Date {
  const guess = wall - offsetAt(wall, clock);
  return new Date(wall - offsetAt(guess, clock));
}

function offsetAt(instant: number, clock: Clock): number {
  return clock(new Date(instant)) - Math.floor(instant / 1000) * 1000;
}
