import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConfigChangedService } from './changes.service.js';
import { ClockService } from './clock.service.js';
import {
  DATABASE_ADDRESS,
  DATABASE_ROLE,
  type DatabaseRole,
  DatabaseServer,
  type PgConnection,
} from './database.server.js';
import { DatabaseService } from './database.service.js';
import { InstallationSecretService } from './installation-secret.service.js';
import { SchemaVersionService } from './migration-runner.js';
import { QueryPoolService } from './query-pool.service.js';
import { ReportReaderService } from './report-reader.service.js';
import { SessionService } from './session.service.js';

/** Provides Postgres (embedded or by URL), its migrations, and the session for LISTEN and locks. */
@Module({})
export class DatabaseModule {
  /**
   * A gateway owns its embedded folder exclusively and waits for a database by URL. A command-line tool joins a running
   * database or fails immediately. A worker gets the address of the embedded database.
   */
  static for(role: DatabaseRole, address: PgConnection | null = null): DynamicModule {
    const server: DynamicModule = {
      module: DatabaseServerModule,
      providers: [
        { provide: DATABASE_ROLE, useValue: role },
        { provide: DATABASE_ADDRESS, useValue: address },
        DatabaseServer,
      ],
      exports: [DatabaseServer],
    };
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        server,
        TypeOrmModule.forRootAsync({
          imports: [server],
          inject: [DatabaseServer],
          useFactory: (databaseServer: DatabaseServer) => databaseServer.dataSourceOptions(),
        }),
      ],
      providers: [
        ClockService,
        ConfigChangedService,
        DatabaseService,
        InstallationSecretService,
        QueryPoolService,
        ReportReaderService,
        SchemaVersionService,
        SessionService,
      ],
      exports: [
        ClockService,
        ConfigChangedService,
        DatabaseService,
        InstallationSecretService,
        QueryPoolService,
        ReportReaderService,
        SchemaVersionService,
        SessionService,
        server,
      ],
    };
  }
}

@Module({})
class DatabaseServerModule {}
