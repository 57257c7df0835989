import { Module } from '@nestjs/common';
import { FEATURES } from './app.features.js';
import { SettingsModule } from './config/settings.module.js';
import { DatabaseModule } from './database/database.module.js';
import { MetricsServerModule } from './telemetry/metrics.module.js';
import { PROVIDERS } from './upstreams/providers/providers.js';

@Module({
  imports: [SettingsModule.forProtocols(PROVIDERS), DatabaseModule.for('gateway'), ...FEATURES, MetricsServerModule],
})
export class AppModule {}
