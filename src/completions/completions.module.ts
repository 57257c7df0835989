import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { SETTINGS, type Settings } from '../config/settings.js';
import { ContentLogModule } from '../content-log/content-log.module.js';
import { BodyBudget } from '../http/body/body-budget.js';
import { BODY_LIMIT, JsonBodyReader } from '../http/body/json-body.reader.js';
import { LimitsModule } from '../limits/limits.module.js';
import { ModelsModule } from '../models/models.module.js';
import { MetricsModule } from '../telemetry/metrics/metrics.module.js';
import { TracesModule } from '../telemetry/traces/traces.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { CacheKeys } from './affinity/cache-keys.service.js';
import { MovedConversations } from './affinity/moved-conversations.js';
import { ActiveCallsService } from './call/active-calls.service.js';
import { LostCallsService } from './call/lost-calls.service.js';
import { ServableTargets } from './call/servable-targets.service.js';
import { CallsService } from './calls.service.js';
import { CapacitySharingService } from './capacity/capacity-sharing.service.js';
import { CompletionsService } from './completions.service.js';
import { ContentRecorderService } from './content/content-recorder.service.js';
import { TokenCountsService } from './counting/token-counts.service.js';
import { RequestsController } from './explained/requests.controller.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';
import { IdempotentRepliesService } from './idempotency/idempotent-replies.service.js';
import { MeterService } from './metering/meter.service.js';
import { ModelSpeeds } from './metering/model-speeds.js';
import { RowParts } from './metering/row-parts.js';
import { LoopDelay } from './overload/loop-delay.js';
import { OverloadService } from './overload/overload.service.js';
import { OwnQueue } from './overload/own-queue.js';
import { RefusedCallsService } from './refused-calls.service.js';
import { RepliesService } from './replies/replies.service.js';
import { FirstAnswerTimes } from './routing/first-answer-times.js';
import { HedgeDelays } from './routing/hedge-delays.js';
import { RefusedParameters } from './routing/refused-parameters.js';
import { RetryBudget } from './routing/retry-budget.js';
import { RetryParts } from './routing/retry-parts.js';
import { RouterService } from './routing/router.service.js';
import { RoutingNewsService } from './sharing/routing-news.service.js';

@Module({
  imports: [
    AuthModule,
    ContentLogModule,
    UsageModule,
    ModelsModule,
    LimitsModule,
    UpstreamsModule,
    MetricsModule,
    TracesModule,
  ],
  controllers: [RequestsController],
  providers: [
    ActiveCallsService,
    CallsService,
    LostCallsService,
    CacheKeys,
    CapacitySharingService,
    CompletionsService,
    ContentRecorderService,
    FirstAnswerTimes,
    HedgeDelays,
    IdempotencyService,
    IdempotentRepliesService,
    JsonBodyReader,
    LoopDelay,
    MeterService,
    MovedConversations,
    OverloadService,
    OwnQueue,
    RefusedCallsService,
    RefusedParameters,
    RepliesService,
    RetryBudget,
    RetryParts,
    TokenCountsService,
    RouterService,
    RowParts,
    RoutingNewsService,
    ServableTargets,
    ModelSpeeds,
    {
      provide: BodyBudget,
      inject: [SETTINGS],
      useFactory: ({ overload }: Settings) => new BodyBudget(overload.maxBufferedBytes),
    },
    { provide: BODY_LIMIT, inject: [SETTINGS], useFactory: ({ server }: Settings) => server.bodyLimit },
  ],
  exports: [ActiveCallsService, CallsService, OverloadService, TokenCountsService],
})
export class CompletionsModule {}
