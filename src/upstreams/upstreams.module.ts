import { Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.js';
import { MetricsModule } from '../telemetry/metrics.module.js';
import { AttemptService } from './attempt.service.js';
import { CapacityService } from './capacity.service.js';
import { LargeAnswers } from './client/large-answers.js';
import { UpstreamClient } from './client/upstream.client.js';
import { CloudCredentialsService } from './cloud-credentials.service.js';
import { TargetProbeService } from './health/target-probe.service.js';
import { NativeCountsService, NativeRefusals } from './native-counts.service.js';
import { SimulatorService } from './simulator.service.js';
import { TargetHealthService } from './target-health.service.js';
import { TokenCounter } from './tokens/token-counter.js';
import { UpstreamAccesses } from './upstream-access.js';
import { UpstreamStatusService, UpstreamTestService } from './upstream-status.service.js';

/** Everything needed to call an upstream; independent of callers, keys and the ledger. */
@Module({
  imports: [MetricsModule],
  providers: [
    SimulatorService,
    TokenCounter,
    AttemptService,
    CapacityService,
    CloudCredentialsService,
    LargeAnswers,
    NativeCountsService,
    NativeRefusals,
    TargetHealthService,
    TargetProbeService,
    UpstreamAccesses,
    UpstreamStatusService,
    UpstreamTestService,
    {
      provide: UpstreamClient,
      inject: [SETTINGS],
      useFactory: ({ proxy }: Settings) => new UpstreamClient(proxy),
    },
  ],
  exports: [
    AttemptService,
    CapacityService,
    CloudCredentialsService,
    NativeCountsService,
    SimulatorService,
    TargetHealthService,
    TokenCounter,
    UpstreamAccesses,
    UpstreamStatusService,
    UpstreamTestService,
  ],
})
export class UpstreamsModule {}
