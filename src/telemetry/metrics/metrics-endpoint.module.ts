import { Module } from '@nestjs/common';
import { MetricsController } from './metrics.controller.js';
import { MetricsModule } from './metrics.module.js';

/** Where the metrics can be read: a gateway has this, a command-line tool does not. */
@Module({ imports: [MetricsModule], controllers: [MetricsController] })
export class MetricsEndpointModule {}
