import { Module } from '@nestjs/common';
import { AlertDeliveryService } from './alert-delivery.service.js';
import { AlertLogService } from './alert-log.service.js';
import { AlertRetentionService } from './alert-retention.service.js';
import { AlertsService } from './alerts.service.js';

/** Stores operator alerts and sends them to a webhook. */
@Module({
  providers: [AlertDeliveryService, AlertLogService, AlertRetentionService, AlertsService],
  exports: [AlertLogService, AlertsService],
})
export class AlertsModule {}
