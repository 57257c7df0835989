import { ApiProperty } from '@nestjs/swagger';
import { Integer, IntegerOrNull, TextOrNull, TimeOrNull, ViewOrNull } from '../../dto/view-properties.js';

const DELIVERIES = ['sent', 'waiting', 'failed', 'not_sent'] as const;
const STATUS = 'The HTTP status; null if there was no response.';

export class AlertView {
  @ApiProperty()
  id!: string;

  @ApiProperty({ example: 'budget_80' })
  type!: string;

  @ApiProperty({ description: 'An e-mail address, a key’s id or an upstream.' })
  subject!: string;

  @ApiProperty()
  text!: string;

  @ApiProperty()
  at!: Date;

  @ApiProperty({
    enum: DELIVERIES,
    enumName: 'AlertDelivery',
    description:
      '`waiting`: retried for up to a day; `failed`: no further attempts; `not_sent`: no webhook was set up.',
  })
  delivery!: (typeof DELIVERIES)[number];

  @Integer()
  attempts!: number;

  @TimeOrNull('The last attempt.')
  triedAt!: Date | null;

  @IntegerOrNull(STATUS)
  answerStatus!: number | null;

  @TextOrNull('The start of the webhook’s last response, or why there was none.')
  answer!: string | null;
}

export class AlertWebhookView {
  @ApiProperty({ example: 'hooks.example.com', description: 'The host of its URL; the rest may be secret.' })
  host!: string;

  @ApiProperty({ description: 'Whether alerts are signed.' })
  isSigned!: boolean;
}

export class AlertPageView {
  @ViewOrNull(AlertWebhookView, 'Null if no webhook is set up: alerts are listed but not sent.')
  webhook!: AlertWebhookView | null;

  @ApiProperty({ type: [AlertView] })
  items!: readonly AlertView[];

  @TextOrNull('The `cursor` of the next page; null after the last.')
  next!: string | null;
}

export class AlertTestView {
  @ApiProperty()
  ok!: boolean;

  @IntegerOrNull(STATUS)
  status!: number | null;

  @ApiProperty({ description: 'The start of the webhook’s response, or why there was none.' })
  answer!: string;
}
