import { Module } from '@nestjs/common';
import { MetricsController } from './metrics.controller.js';
import { MetricsModule } from './metrics.module.js';
import { MetricsServerService } from './metrics-server.service.js';

/** Where the metrics can be read: a gateway has this, a command-line tool does not. */
@Module({ imports: [MetricsModule], controllers: [MetricsController], providers: [MetricsServerService] })
export class MetricsEndpointModule {}
