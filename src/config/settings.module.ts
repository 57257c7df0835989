import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule, registerAs } from '@nestjs/config';
import { ConfigReloadService } from './config-reload.service.js';
import { type Files, processSettings } from './settings.js';
import type { UpstreamProtocol } from './upstream-protocol.js';

/** Makes the settings injectable everywhere. */
@Module({})
export class SettingsModule {
  static forProtocols(protocols: readonly UpstreamProtocol[], files?: Files): DynamicModule {
    const load = [registerAs('gateway', () => processSettings(protocols, files))];
    return {
      module: SettingsModule,
      global: true,
      imports: [ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, ignoreEnvVars: true, load })],
      providers: [ConfigReloadService],
      exports: [ConfigReloadService],
    };
  }
}
