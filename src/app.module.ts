import { type DynamicModule, Module } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { ApisModule } from './apis/apis.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BillingModule } from './billing/billing.module.js';
import { CompletionsModule } from './completions/completions.module.js';
import { SettingsModule } from './config/settings.module.js';
import { ConsoleModule } from './console/console.module.js';
import { DatabaseModule } from './database/database.module.js';
import type { PgConnection } from './database/database.server.js';
import { HealthModule } from './health/health.module.js';
import { LifecycleModule } from './lifecycle/lifecycle.module.js';
import { ModelsModule } from './models/models.module.js';
import { MetricsEndpointModule, MetricsServerModule } from './telemetry/metrics.module.js';
import { PROVIDERS } from './upstreams/providers/providers.js';
import { UsageModule } from './usage/usage.module.js';

/** The modules of a gateway, besides settings and database. */
export const FEATURES = [
  ApisModule,
  CompletionsModule,
  AccountsModule,
  BillingModule,
  UsageModule,
  AuthModule,
  ModelsModule,
  HealthModule,
  ConsoleModule,
  MetricsEndpointModule,
  LifecycleModule,
];

@Module({
  imports: [SettingsModule.forProtocols(PROVIDERS), DatabaseModule.for('gateway'), ...FEATURES, MetricsServerModule],
})
export class AppModule {}

@Module({})
export class WorkerModule {
  /** `database`: the embedded database; null: it is found by its URL. */
  static for(database: PgConnection | null): DynamicModule {
    return {
      module: WorkerModule,
      imports: [SettingsModule.forProtocols(PROVIDERS), DatabaseModule.for('worker', database), ...FEATURES],
    };
  }
}
