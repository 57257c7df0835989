import { Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.js';
import { MetricsModule } from '../telemetry/metrics/metrics.module.js';
import { AttemptService } from './attempt/attempt.service.js';
import { NativeCountsService } from './attempt/native-counts.service.js';
import { UpstreamAccesses } from './attempt/upstream-access.js';
import { CapacityService } from './capacity/capacity.service.js';
import { UpstreamClient } from './client/upstream.client.js';
import { TargetHealthService } from './health/target-health.service.js';
import { TargetProbeService } from './health/target-probe.service.js';
import { SimulatorService } from './simulator/simulator.service.js';
import { UpstreamStatusService } from './status/upstream-status.service.js';
import { UpstreamTestService } from './status/upstream-test.service.js';
import { TokenCounter } from './tokens/token-counter.js';

/** Everything needed to call an upstream; independent of callers, keys and the ledger. */
@Module({
  imports: [MetricsModule],
  providers: [
    SimulatorService,
    TokenCounter,
    AttemptService,
    CapacityService,
    NativeCountsService,
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
