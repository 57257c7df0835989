import { Module } from '@nestjs/common';
import { SettingsModule } from '../config/settings.module.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';

/** The services for the commands that call upstreams; they need no database. */
@Module({ imports: [SettingsModule.forProtocols(PROVIDERS), UpstreamsModule] })
export class UpstreamCliModule {}
