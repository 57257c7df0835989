import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CacheModule } from '../cache/cache.module.js';
import { SETTINGS, type Settings } from '../config/settings.js';
import { ContentLogModule } from '../content-log/content-log.module.js';
import { GuardsModule } from '../guards/guards.module.js';
import { BODY_LIMIT, JsonBodyReader } from '../http/body/json-body.reader.js';
import { BodyBudget } from '../http/body/request-body.js';
import { LimitsModule } from '../limits/limits.module.js';
import { ModelsModule } from '../models/models.module.js';
import { MetricsModule } from '../telemetry/metrics.module.js';
import { TracesModule } from '../telemetry/traces.service.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { ActiveCallsService, LostCallsService } from './active-calls.service.js';
import { InternalQueue, LoopDelay } from './admission/overload/internal-queue.js';
import { OverloadService } from './admission/overload/overload.service.js';
import { ServableTargets } from './admission/servable-targets.service.js';
import { CallsService, RefusedCallsService } from './calls.service.js';
import { CompletionsService } from './completions.service.js';
import { GuardedCallsService } from './guarding/guarded-calls.service.js';
import { AnswerCacheService } from './replies/answer-cache.service.js';
import { IdempotencyService } from './replies/idempotency.service.js';
import { RepliesService } from './replies/replies.service.js';
import { RequestsController } from './replies/requests.controller.js';
import { CacheKeys, MovedConversations } from './routing/affinity.js';
import { CapacitySharingService } from './routing/capacity-sharing.service.js';
import { FirstAnswerTimes } from './routing/fastest.js';
import { LearnedTraitsService, RefusedParameters } from './routing/refused-parameters.js';
import { HedgeDelays, RetryBudget, RetryParts } from './routing/retry-parts.js';
import { RouterService } from './routing/router.service.js';
import { RoutingNewsService } from './routing/routing-news.service.js';
import { ContentRecorderService } from './settlement/content-recorder.service.js';
import { ModelSpeeds, RowParts } from './settlement/row-parts.js';
import { RowsService } from './settlement/rows.service.js';
import { TokenCountsService } from './token-counts.service.js';

@Module({
  imports: [
    AuthModule,
    CacheModule,
    ContentLogModule,
    GuardsModule,
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
    AnswerCacheService,
    CallsService,
    LostCallsService,
    CacheKeys,
    CapacitySharingService,
    CompletionsService,
    ContentRecorderService,
    FirstAnswerTimes,
    GuardedCallsService,
    HedgeDelays,
    IdempotencyService,
    JsonBodyReader,
    LoopDelay,
    MovedConversations,
    OverloadService,
    InternalQueue,
    RefusedCallsService,
    LearnedTraitsService,
    RefusedParameters,
    RepliesService,
    RetryBudget,
    RetryParts,
    TokenCountsService,
    RouterService,
    RowParts,
    RowsService,
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
  exports: [ActiveCallsService, CallsService, JsonBodyReader, OverloadService, TokenCountsService],
})
export class CompletionsModule {}
