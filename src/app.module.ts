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
const FEATURES = [
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

/** Made when it is needed, as an import must not open a database that another process has. */
@Module({})
export class AppModule {
  static gateway(): DynamicModule {
    return { module: AppModule, imports: [...base(DatabaseModule.for('gateway')), MetricsServerModule] };
  }

  /** `database`: the embedded database; null: it is found by its URL. */
  static worker(database: PgConnection | null): DynamicModule {
    return { module: AppModule, imports: base(DatabaseModule.for('worker', database)) };
  }
}

function base(database: DynamicModule) {
  return [SettingsModule.forProtocols(PROVIDERS), database, ...FEATURES];
}
