import { Module } from '@nestjs/common';
import { MetricsModule } from './metrics.module.js';
import { MetricsServerService } from './metrics-server.service.js';

/** The separate port for metrics, opened by the first process of a gateway. */
@Module({ imports: [MetricsModule], providers: [MetricsServerService] })
export class MetricsServerModule {}
