import { Injectable } from '@nestjs/common';
import { AlertsService } from '../../alerts/alerts.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { chatText } from '../../common/chat-text.js';
import { GatewayError } from '../../common/gateway.error.js';
import type { AlertTestView } from './dto/alert.view.js';

/** Test messages from the console to the webhook. */
@Injectable()
export class AlertTestsService {
  constructor(private readonly alerts: AlertsService) {}

  async run({ name }: Actor): Promise<AlertTestView> {
    const text = chatText`A test message, sent from the console by ${name}. Alerts of the gateway arrive here.`;
    const answer = await this.alerts.test({ subject: name, text });
    if (!answer) throw noWebhook();
    return { ok: answer.isAccepted, status: answer.status, answer: answer.text };
  }
}

function noWebhook(): GatewayError {
  const message = 'No webhook is set up. Set ALERT_WEBHOOK_URL and restart the gateway.';
  return new GatewayError(409, { message, type: 'invalid_request_error', param: null, code: 'no_webhook' });
}
