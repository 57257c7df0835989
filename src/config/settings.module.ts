import { Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { settingsProvider } from './settings.js';

/** Makes the settings injectable everywhere. */
@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, ignoreEnvVars: true, load: [settingsProvider] }),
  ],
})
export class SettingsModule {}
