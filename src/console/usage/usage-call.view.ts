import { ApiProperty } from '@nestjs/swagger';
import {
  IdOrNull,
  Integer,
  IntegerOrNull,
  ProjectRefView,
  TextOrNull,
  TimeOrNull,
  ViewOrNull,
} from '../shared/views.js';
import { CallChargeView } from './call-charge.js';
import { CALL_STATUSES } from './usage-query.dto.js';

/** Tokens and cost of one call or many. */
export class UsageAmountsView {
  @Integer('Including cached ones.')
  inputTokens!: number;

  @Integer()
  cachedTokens!: number;

  @Integer('Including reasoning.')
  outputTokens!: number;

  @Integer()
  reasoningTokens!: number;

  @ApiProperty({ description: 'The exact cost: whole nano-dollars (10⁻⁹ $).', example: '1234500' })
  costNanodollars!: string;

  @ApiProperty({ description: 'The same in dollars, as a number.' })
  costUsd!: number;
}

const AFTER_START = 'Milliseconds after the start.';

/** One request, accepted or refused. */
export class CallView extends UsageAmountsView {
  @ApiProperty({
    example: 'chatcmpl-9f86d081884c7d65',
    description: '`refused-…`: it was refused before it became a call.',
  })
  id!: string;

  @ApiProperty()
  startedAt!: Date;

  @TextOrNull('The id in the client’s answer, such as `resp_…`: the provider’s own where its answer was passed on.')
  answerId!: string | null;

  @ApiProperty({ description: 'The `x-request-id` of its answer.' })
  requestId!: string;

  @IdOrNull('Null: no key has the secret that was sent.')
  keyId!: string | null;

  @ApiProperty()
  keyName!: string;

  @TextOrNull('The display form of the key’s secret at that time.')
  keyDisplay!: string | null;

  @IdOrNull('Null: the key is unknown.')
  userId!: string | null;

  @ApiProperty()
  userName!: string;

  @TextOrNull('The project that the key belongs to, if any.')
  projectName!: string | null;

  @ApiProperty({
    description: 'For a refused request the text that it named, which may not be a model; empty if unknown.',
  })
  model!: string;

  @TextOrNull('The model that answered and is charged; null if none did, or unknown.')
  servedModel!: string | null;

  @TextOrNull('Null: none was called.')
  upstream!: string | null;

  @TextOrNull()
  upstreamModel!: string | null;

  @ApiProperty({ example: 'chat.completions', description: 'The API that the client used.' })
  api!: string;

  @ApiProperty()
  simulated!: boolean;

  @ApiProperty({ enum: CALL_STATUSES, enumName: 'CallStatus' })
  status!: (typeof CALL_STATUSES)[number];

  @ApiProperty()
  stream!: boolean;

  @TextOrNull()
  finishReason!: string | null;

  @TextOrNull()
  errorCode!: string | null;

  @IntegerOrNull('The status that the client got; null: it had disconnected, or the request is running or older.')
  httpStatus!: number | null;

  @TextOrNull(
    'The error message for the caller of a refused request; of a failed one, the first line of the provider’s.',
  )
  message!: string | null;

  @IntegerOrNull('The status of the provider’s answer to a failed request.')
  upstreamStatus!: number | null;

  @ApiProperty({ enum: ['reported', 'estimated'], nullable: true, description: 'Null while it is running.' })
  tokenSource!: 'reported' | 'estimated' | null;

  @IntegerOrNull(AFTER_START)
  firstTokenMs!: number | null;

  @IntegerOrNull(AFTER_START)
  totalMs!: number | null;
}

export class CallPageView {
  @ApiProperty({ type: [CallView] })
  items!: CallView[];

  @TextOrNull('The `cursor` of the next page; null after the last.')
  next!: string | null;

  @ApiProperty({ description: 'The list includes everything up to this time.' })
  upToDateAt!: Date;

  @TimeOrNull(
    'Set if this page ends because 10,000 requests were examined: it then ends at this time, and `next` continues.',
  )
  searchedTo!: Date | null;
}

/** One attempt at an upstream. */
export class CallAttemptView {
  @ApiProperty()
  upstream!: string;

  @ApiProperty({ required: false, description: "The name of the upstream's key, if it has several." })
  key?: string;

  @ApiProperty()
  upstreamModel!: string;

  @Integer('Milliseconds after the start of the request.')
  startMs!: number;

  @Integer('How long it took, in milliseconds.')
  ms!: number;

  @ApiProperty({ description: '`ok`, or the error’s code.' })
  outcome!: string;

  @IntegerOrNull('The HTTP status; null or 0 if there was none.')
  status!: number | null;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'How long the request waited before it because every target was full, in milliseconds.',
  })
  waitedMs?: number;

  @ApiProperty({
    required: false,
    description: "The upstream's error message: at most 300 characters, without quotes from the prompt.",
  })
  message?: string;

  @ApiProperty({ required: false, description: "The provider's id of the request, for its support." })
  requestId?: string;
}

/** The project of a key. */
export class CallProjectView extends ProjectRefView {
  @ApiProperty({ description: 'Whether the key belongs to the project itself; false: to a service account of it.' })
  isOwner!: boolean;
}

/** What a guard found in a request or its answer. */
export class GuardHitView {
  @ApiProperty({ description: 'The guard’s name in gateway.yaml.' })
  guard!: string;

  @ApiProperty({ description: 'What was found, for example `payment_card`.' })
  kind!: string;

  @ApiProperty({ enum: ['block', 'mask', 'report', 'pass'] })
  action!: string;

  @ApiProperty({ enum: ['request', 'answer'] })
  side!: string;

  @ApiProperty({ type: 'integer', description: 'How often.' })
  count!: number;
}

const REFUSAL_SCOPES = ['plan', 'user', 'key', 'project'] as const;

/** Why a request was refused, for people: the wire does not say all of it. */
export class RefusalReasonView {
  @ApiProperty()
  sentence!: string;

  @ApiProperty({
    enum: REFUSAL_SCOPES,
    nullable: true,
    description: 'What refused it: whose limit or list; null: neither.',
  })
  scope!: (typeof REFUSAL_SCOPES)[number] | null;

  @TextOrNull('What the caller can do.')
  remedy!: string | null;
}

export class CallDetailView extends CallView {
  @ViewOrNull(CallProjectView, 'The project that the key belongs to, if any.')
  project!: CallProjectView | null;

  @TextOrNull('Where the request came from. `user:forget` removes it.')
  clientAddress!: string | null;

  @TextOrNull('The client’s `User-Agent`, at most 200 characters. `user:forget` removes it.')
  userAgent!: string | null;

  @TextOrNull('The user’s plan at that time; null if it was refused.')
  planId!: string | null;

  @ViewOrNull(CallChargeView, 'Null: the list price of the tokens that the upstream reported.')
  charge!: CallChargeView | null;

  @ApiProperty({ type: [CallAttemptView] })
  attempts!: CallAttemptView[];

  @ViewOrNull(RefusalReasonView, 'Why it was refused, as of now; null if it was not.')
  refusal!: RefusalReasonView | null;

  @ApiProperty({ description: 'Whether it was made in the playground, whose temporary key has no page.' })
  isPlayground!: boolean;

  @ApiProperty({ type: [GuardHitView], description: 'What guards found, up to a second after its end.' })
  guards!: GuardHitView[];

  @ApiProperty({ description: 'Whether its prompt and answer are stored.' })
  hasContent!: boolean;

  @ApiProperty({ description: 'Whether you can read them; those of a project are for its managers.' })
  mayReadContent!: boolean;
}

/** Without what the console adds for people. */
export type CallDetail = Omit<CallDetailView, 'refusal'>;

const NEWEST = 'Set if only the newest requests were counted: how many were examined.';

export class RequestBarView {
  @ApiProperty()
  start!: Date;

  @Integer()
  succeeded!: number;

  @Integer('Failed or interrupted.')
  failed!: number;

  @Integer('Refused before a model was called. Counted by the hour: an hour counts in the step in which it starts.')
  refused!: number;

  @Integer('Running, or aborted by their callers.')
  others!: number;
}

export class RequestHistogramView {
  @ApiProperty()
  from!: Date;

  @ApiProperty()
  to!: Date;

  @ApiProperty({ enum: ['hour', 'day'] })
  step!: 'hour' | 'day';

  @ApiProperty({ type: [RequestBarView], description: 'Every hour or day, including those without requests.' })
  bars!: RequestBarView[];

  @IntegerOrNull(NEWEST)
  newest!: number | null;
}

export class RequestFacetOptionView {
  @ApiProperty({
    description: 'The value to filter by. For cost and duration, the minimum in dollars or ms.',
  })
  id!: string;

  @ApiProperty()
  label!: string;

  @TextOrNull('The display form of a key, the name of a user.')
  detail!: string | null;

  @Integer()
  count!: number;
}

export class RequestFacetView {
  @ApiProperty({
    type: [RequestFacetOptionView],
    description: 'The first 50, most requests first. The filter by the same value does not apply to them.',
  })
  options!: RequestFacetOptionView[];

  @IntegerOrNull(NEWEST)
  newest!: number | null;
}
