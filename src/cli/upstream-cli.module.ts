import { Module } from '@nestjs/common';
import { UpstreamsModule } from '../completions/upstreams.module.js';
import { SettingsModule } from '../config/settings.module.js';

/** The services of the commands that call upstreams; they need no database. */
@Module({ imports: [SettingsModule, UpstreamsModule] })
export class UpstreamCliModule {}
