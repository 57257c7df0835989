import { Module } from '@nestjs/common';
import { type Settings, settingsProvider } from '../config/settings.js';
import { AttemptService } from './routing/attempt.service.js';
import { UpstreamAccesses } from './routing/upstream-access.js';
import { UpstreamClient } from './upstream/upstream.client.js';
import { UpstreamStatusService } from './upstream-status.service.js';
import { UpstreamTestService } from './upstream-test.service.js';

/** What it takes to call an upstream, and nothing of callers, keys or the ledger. */
@Module({
  providers: [
    AttemptService,
    UpstreamAccesses,
    UpstreamStatusService,
    UpstreamTestService,
    {
      provide: UpstreamClient,
      inject: [settingsProvider.KEY],
      useFactory: ({ proxy }: Settings) => new UpstreamClient(proxy),
    },
  ],
  exports: [AttemptService, UpstreamAccesses, UpstreamStatusService, UpstreamTestService],
})
export class UpstreamsModule {}
