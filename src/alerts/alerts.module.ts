import { Module } from '@nestjs/common';
import { AlertDeliveryService } from './alert-delivery.service.js';
import { AlertRetentionService } from './alert-retention.service.js';
import { AlertsService } from './alerts.service.js';

/** Sends operator alerts to a webhook. */
@Module({
  providers: [AlertDeliveryService, AlertRetentionService, AlertsService],
  exports: [AlertsService],
})
export class AlertsModule {}
