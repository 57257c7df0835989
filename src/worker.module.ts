import { type DynamicModule, Module } from '@nestjs/common';
import { FEATURES } from './app.features.js';
import { SettingsModule } from './config/settings.module.js';
import { DatabaseModule } from './database/database.module.js';
import type { PgConnection } from './database/database.server.js';
import { PROVIDERS } from './upstreams/providers/providers.js';

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
