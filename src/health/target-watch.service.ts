import { Injectable } from '@nestjs/common';
import type { Alert } from '../alerts/alert.types.js';
import { AlertsService } from '../alerts/alerts.service.js';
import { chatText } from '../common/chat-text.js';
import { ClockService } from '../database/clock.service.js';
import { TargetHealthService } from '../upstreams/health/target-health.service.js';
import type { HealthChange } from '../upstreams/health/target-health.types.js';

/** Alerts when targets are set aside or come back; if several processes find out, one sends the alert. */
@Injectable()
export class TargetWatchService {
  constructor(health: TargetHealthService, alerts: AlertsService, clock: ClockService) {
    health.changes.subscribe((change) => alerts.alert(toAlert(change, clock.date())));
  }
}

function toAlert({ kind, upstream, key, model, reason }: HealthChange, now: Date): Alert {
  const whose = key === null ? upstream : `${upstream}, key ${key}`;
  const name = model === null ? whose : `${whose} (${model})`;
  const topic = `target:${name}`;
  if (kind === 'back') return { type: 'target_back', subject: upstream, text: chatText`${name} works again.`, topic };
  if (reason === 'failing') {
    const text = chatText`${name} failed too often: it is set aside until it works again.`;
    return { type: 'target_aside', subject: upstream, text, topic };
  }
  const text =
    reason === 'certificate'
      ? chatText`The certificate of ${name} is not trusted: it is set aside. Check its expiry, name and issuer.`
      : chatText`${name} refuses the gateway's credential or account: it is set aside. Check its key and quota.`;
  // The end of this state is not reported, so the alert is repeated once an hour.
  const hour = now.toISOString().slice(0, 13);
  return { type: 'target_aside', subject: upstream, text, topic: `${topic}:${reason}:${hour}` };
}
