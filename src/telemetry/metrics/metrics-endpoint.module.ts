import { Module } from '@nestjs/common';
import { MetricsController } from './metrics.controller.js';
import { MetricsModule } from './metrics.module.js';

/** The metrics endpoint: part of a gateway, not of the command line. */
@Module({ imports: [MetricsModule], controllers: [MetricsController] })
export class MetricsEndpointModule {}
