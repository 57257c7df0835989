import { Global, Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { ConfigReloadService } from './config-reload.service.js';
import { settingsProvider } from './settings.js';

/** Makes the settings injectable everywhere. */
@Global()
@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, ignoreEnvVars: true, load: [settingsProvider] }),
  ],
  providers: [ConfigReloadService],
  exports: [ConfigReloadService],
})
export class SettingsModule {}
