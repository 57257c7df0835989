import { Get, Post, Query } from '@nestjs/common';
import { ApiConflictResponse } from '@nestjs/swagger';
import { AlertLogService } from '../../alerts/alert-log.service.js';
import { AlertsService } from '../../alerts/alerts.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { chatText } from '../../common/chat-text.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { CurrentActor } from '../session/current-session.js';
import { conflict } from '../shared/console.errors.js';
import { AlertPageView, AlertTestView } from './dto/alert.view.js';
import { AlertsQuery } from './dto/alerts-query.dto.js';

const PAGE = 50;

@ConsoleController('alerts', 'Alerts', 'admin')
export class AlertsController {
  constructor(
    private readonly log: AlertLogService,
    private readonly alerts: AlertsService,
  ) {}

  @Get()
  @Returns(AlertPageView, 'The alerts of the last 30 days, newest first, with the responses of the webhook')
  async list(@Query() { cursor }: AlertsQuery): Promise<AlertPageView> {
    return { webhook: this.log.webhook, ...(await this.log.page(cursor ?? null, PAGE)) };
  }

  @Post('test')
  @Returns(AlertTestView, 'Send one test message to the webhook and return its response')
  @ApiConflictResponse({ description: 'No webhook is set up.' })
  async test(@CurrentActor() { name }: Actor): Promise<AlertTestView> {
    const text = chatText`A test message, sent from the console by ${name}. Alerts of the gateway arrive here.`;
    const answer = await this.alerts.test({ subject: name, text });
    if (!answer) throw conflict('no_webhook', 'No webhook is set up. Set ALERT_WEBHOOK_URL and restart the gateway.');
    return { ok: answer.isAccepted, status: answer.status, answer: answer.text };
  }
}
