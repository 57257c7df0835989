import { type DynamicModule, Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BackupModule } from '../backup/backup.module.js';
import { BillingModule } from '../billing/billing.module.js';
import type { Files } from '../config/settings.js';
import { SettingsModule } from '../config/settings.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { LedgerVerificationModule } from '../ledger/verification/ledger-verification.module.js';
import { BudgetsModule } from '../limits/budgets.module.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';

/** The services for the commands; it serves no requests. */
@Module({
  imports: [
    DatabaseModule.for('tool'),
    AccountsModule,
    BillingModule,
    AuthModule,
    BackupModule,
    BudgetsModule,
    LedgerVerificationModule,
  ],
})
export class CliModule {
  static with(files: Files): DynamicModule {
    return { module: CliModule, imports: [SettingsModule.forProtocols(PROVIDERS, files)] };
  }
}
