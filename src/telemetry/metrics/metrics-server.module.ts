import { Module } from '@nestjs/common';
import { MetricsModule } from './metrics.module.js';
import { MetricsServerService } from './metrics-server.service.js';

/** The port of their own that metrics may have: of the processes of a gateway the first one listens there. */
@Module({ imports: [MetricsModule], providers: [MetricsServerService] })
export class MetricsServerModule {}
