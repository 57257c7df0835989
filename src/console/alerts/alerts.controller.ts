import { Get, Post, Query } from '@nestjs/common';
import { ApiConflictResponse } from '@nestjs/swagger';
import { AlertLogService } from '../../alerts/alert-log.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { CurrentActor } from '../session/current-session.js';
import { AlertTestsService } from './alert-tests.service.js';
import { AlertPageView, AlertTestView } from './dto/alert.view.js';
import { AlertsQuery } from './dto/alerts-query.dto.js';

const PAGE = 50;

@ConsoleController('alerts', 'Alerts', 'admin')
export class AlertsController {
  constructor(
    private readonly log: AlertLogService,
    private readonly tests: AlertTestsService,
  ) {}

  @Get()
  @Returns(AlertPageView, 'The alerts of the last 30 days, newest first, with the responses of the webhook')
  async list(@Query() { cursor }: AlertsQuery): Promise<AlertPageView> {
    const { items, next } = await this.log.page(cursor ?? null, PAGE);
    return { webhook: this.log.webhook, items: [...items], next };
  }

  @Post('test')
  @Returns(AlertTestView, 'Send one test message to the webhook and return its response')
  @ApiConflictResponse({ description: 'No webhook is set up.' })
  test(@CurrentActor() actor: Actor): Promise<AlertTestView> {
    return this.tests.run(actor);
  }
}
