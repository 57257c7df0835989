import { Get, Post, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { ALERT_TYPES, type AlertType } from '../alerts/alert.types.js';
import { AlertLogService } from '../alerts/alert-log.service.js';
import { AlertsService } from '../alerts/alerts.service.js';
import type { Actor } from '../audit/audit.types.js';
import { chatText } from '../common/text.js';
import { ConsoleController, Returns } from './session/console.guard.js';
import { CurrentActor } from './session/current-session.js';
import { Access } from './session/route-access.js';
import { NO_CONTROL_CHARACTERS, SplitAtCommas } from './shared/fields.js';
import { conflict } from './shared/validation.js';
import { Integer, IntegerOrNull, TextOrNull, TimeOrNull, ViewOrNull } from './shared/views.js';

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

class AlertPageView {
  @ViewOrNull(AlertWebhookView, 'Null if no webhook is set up: alerts are listed but not sent.')
  webhook!: AlertWebhookView | null;

  @ApiProperty({ type: [AlertView] })
  items!: readonly AlertView[];

  @TextOrNull('The `cursor` of the next page; null after the last.')
  next!: string | null;
}

class AlertTestView {
  @ApiProperty()
  ok!: boolean;

  @IntegerOrNull(STATUS)
  status!: number | null;

  @ApiProperty({ description: 'The start of the webhook’s response, or why there was none.' })
  answer!: string;
}

class AlertsQuery {
  @ApiPropertyOptional({ description: '`next` of the previous page.' })
  @IsOptional()
  @Matches(/^\d{1,18}$/, { message: 'cursor must be the `next` of a page' })
  cursor?: string;

  @ApiPropertyOptional({ enum: ALERT_TYPES, isArray: true, description: 'Only of these types.' })
  @IsOptional()
  @IsIn(ALERT_TYPES, { each: true })
  @SplitAtCommas()
  types?: AlertType[];

  @ApiPropertyOptional({ description: 'Only about this upstream, user, key or project.' })
  @IsOptional()
  @IsString()
  @MaxLength(400)
  @Matches(NO_CONTROL_CHARACTERS, { message: 'subject must not contain control characters' })
  subject?: string;
}

const PAGE = 50;

@ConsoleController('alerts', 'Alerts', ['alerts.read', 'all'])
export class AlertsController {
  constructor(
    private readonly log: AlertLogService,
    private readonly alerts: AlertsService,
  ) {}

  @Get()
  @Returns(AlertPageView, 'The alerts of the last 30 days, newest first, with the responses of the webhook')
  async list(@Query() { cursor, types, subject }: AlertsQuery): Promise<AlertPageView> {
    const page = await this.log.page({ cursor: cursor ?? null, types: types ?? null, subject: subject ?? null }, PAGE);
    return { webhook: this.log.webhook, ...page };
  }

  @Post('test')
  @Access(['alerts.write', 'all'])
  @Returns(AlertTestView, 'Send one test message to the webhook and return its response')
  @ApiConflictResponse({ description: 'No webhook is set up.' })
  async test(@CurrentActor() { name }: Actor): Promise<AlertTestView> {
    const text = chatText`A test message, sent from the console by ${name}. Alerts of the gateway arrive here.`;
    const answer = await this.alerts.test({ subject: name, text });
    if (!answer) throw conflict('no_webhook', 'No webhook is set up. Set ALERT_WEBHOOK_URL and restart the gateway.');
    return { ok: answer.isAccepted, status: answer.status, answer: answer.text };
  }
}
