import { Module } from '@nestjs/common';
import { AlertDeliveryService } from './alert-delivery.service.js';
import { AlertLogService, AlertRetentionService } from './alert-log.service.js';
import { AlertsService } from './alerts.service.js';

/** Stores operator alerts and sends them to a webhook. */
@Module({
  providers: [AlertDeliveryService, AlertLogService, AlertRetentionService, AlertsService],
  exports: [AlertLogService, AlertsService],
})
export class AlertsModule {}
