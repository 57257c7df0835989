import { ApiProperty } from '@nestjs/swagger';
import { CallChargeView } from './call-charge.view.js';
import { UsageAmountsView } from './usage-amounts.view.js';
import { CALL_STATUSES } from './usage-query.dto.js';

const TEXT_OR_NULL = { type: String, nullable: true };
const MS_OR_NULL = { type: 'integer', nullable: true, description: 'Milliseconds after the start.' } as const;

/** One request, accepted or refused. */
export class CallView extends UsageAmountsView {
  @ApiProperty({
    example: 'chatcmpl-9f86d081884c7d65',
    description: '`refused-…`: it was refused before it became a call.',
  })
  id!: string;

  @ApiProperty({ format: 'date-time' })
  startedAt!: Date;

  @ApiProperty({ description: 'The `x-request-id` of its answer.' })
  requestId!: string;

  @ApiProperty({ format: 'uuid' })
  keyId!: string;

  @ApiProperty()
  keyName!: string;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'The display form of the key, with the secret of its time.' })
  keyDisplay!: string | null;

  @ApiProperty({ format: 'uuid' })
  userId!: string;

  @ApiProperty()
  userName!: string;

  @ApiProperty({
    description: 'Of a refused request what it named, which may be no model; empty: nothing that can be told.',
  })
  model!: string;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'The one that answered, and is charged; null: none did, or not known.' })
  servedModel!: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Null: none was called.' })
  upstream!: string | null;

  @ApiProperty(TEXT_OR_NULL)
  upstreamModel!: string | null;

  @ApiProperty()
  simulated!: boolean;

  @ApiProperty({ enum: CALL_STATUSES, enumName: 'CallStatus' })
  status!: (typeof CALL_STATUSES)[number];

  @ApiProperty()
  stream!: boolean;

  @ApiProperty(TEXT_OR_NULL)
  finishReason!: string | null;

  @ApiProperty(TEXT_OR_NULL)
  errorCode!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'What a refused request was answered with.' })
  httpStatus!: number | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'What the caller of a refused request was told.' })
  message!: string | null;

  @ApiProperty({ enum: ['reported', 'estimated'], nullable: true, description: 'Null while it is under way.' })
  tokenSource!: 'reported' | 'estimated' | null;

  @ApiProperty(MS_OR_NULL)
  firstTokenMs!: number | null;

  @ApiProperty(MS_OR_NULL)
  totalMs!: number | null;
}

export class CallPageView {
  @ApiProperty({ type: [CallView] })
  items!: CallView[];

  @ApiProperty({ ...TEXT_OR_NULL, description: 'The `cursor` of the next page; null after the last.' })
  next!: string | null;
}

/** One attempt at an upstream. */
export class CallAttemptView {
  @ApiProperty()
  upstream!: string;

  @ApiProperty({ required: false, description: "The name of the upstream's key, where it has several." })
  key?: string;

  @ApiProperty()
  upstreamModel!: string;

  @ApiProperty({ type: 'integer', description: 'Milliseconds after the start of the request.' })
  startMs!: number;

  @ApiProperty({ type: 'integer', description: 'How long it took, in milliseconds.' })
  ms!: number;

  @ApiProperty({ description: '`ok`, or the code of the error that it ended with.' })
  outcome!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The HTTP status; null or 0 where there was none.' })
  status!: number | null;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'For how long the request waited before it, while every target was full, in milliseconds.',
  })
  waitedMs?: number;
}

export class CallDetailView extends CallView {
  @ApiProperty({ ...TEXT_OR_NULL, description: 'The plan that its user was on; null: it was refused.' })
  planId!: string | null;

  @ApiProperty({
    type: CallChargeView,
    nullable: true,
    description: 'Null: the list price of the tokens that the upstream reported.',
  })
  charge!: CallChargeView | null;

  @ApiProperty({ type: [CallAttemptView] })
  attempts!: CallAttemptView[];
}
