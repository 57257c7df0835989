import { AccountsModule } from './accounts/accounts.module.js';
import { ApisModule } from './apis/apis.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BillingModule } from './billing/billing.module.js';
import { CompletionsModule } from './completions/completions.module.js';
import { ConsoleModule } from './console/console.module.js';
import { HealthModule } from './health/health.module.js';
import { LifecycleModule } from './lifecycle/lifecycle.module.js';
import { ModelsModule } from './models/models.module.js';
import { MetricsEndpointModule } from './telemetry/metrics.module.js';
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
