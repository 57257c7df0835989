import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { AlertsService } from '../alerts/alerts.service.js';
import { chatText } from '../common/chat-text.js';
import { DatabaseService } from '../database/database.service.js';
import { OutageServingService } from '../ledger/outage-serving.service.js';
import { UsageLedgerService } from '../ledger/usage-ledger.service.js';

const LOOK_MS = 1000;

/** Alerts when this process can no longer write the ledger, and when it can again. */
@Injectable()
export class LedgerWatchService {
  private timer: NodeJS.Timeout | undefined;
  private isDown = false;

  constructor(
    private readonly ledger: UsageLedgerService,
    private readonly alerts: AlertsService,
    private readonly serving: OutageServingService,
    database: DatabaseService,
  ) {
    database.beforeReady(async () => {
      this.timer = setInterval(() => this.look(), LOOK_MS).unref();
    });
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const isDown = !this.ledger.isWritable;
    if (isDown === this.isDown) return;
    this.isDown = isDown;
    const subject = hostname();
    const effect = this.serving.isOn
      ? 'known callers are served for a limited time, without checking their limits'
      : 'new calls get a 503';
    const text = isDown
      ? chatText`The usage ledger cannot be written on ${subject}: ${effect}. Check the database.`
      : chatText`The usage ledger can be written again on ${subject}.`;
    this.alerts.alertWithoutDatabase({ type: isDown ? 'ledger_down' : 'ledger_back', subject, text });
  }
}
