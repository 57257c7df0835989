import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { CompletionsModule } from '../completions/completions.module.js';
import { HealthModule } from '../health/health.module.js';
import { Listeners } from '../http/listeners/listeners.js';
import { ModelsModule } from '../models/models.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { ReloadTriggersService } from './reload-triggers.service.js';
import { ShutdownService } from './shutdown.service.js';
import { WelcomeService } from './welcome.service.js';

/** Start-up output, reload and shutdown. */
@Module({
  imports: [AccountsModule, AuthModule, CompletionsModule, HealthModule, ModelsModule, UpstreamsModule, UsageModule],
  providers: [Listeners, ReloadTriggersService, ShutdownService, WelcomeService],
})
export class LifecycleModule {}
