import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { OidcModule } from '../accounts/oidc.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { ApplyModule } from '../apply/apply.service.js';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { CacheModule } from '../cache/cache.module.js';
import { CacheSettingsModule } from '../cache/cache-settings.service.js';
import { CompletionsModule } from '../completions/completions.module.js';
import { ContentLogModule } from '../content-log/content-log.module.js';
import { GuardsModule } from '../guards/guards.module.js';
import { BudgetsModule } from '../limits/budgets.module.js';
import { ModelsModule } from '../models/models.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { ScimModule } from '../scim/scim.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { AccountController } from './account.controller.js';
import { AlertsController } from './alerts.controller.js';
import { ApplyController } from './apply.controller.js';
import { AuditController, AuditExportService } from './audit.controller.js';
import { BudgetStandingsService, BudgetsController } from './budgets.controller.js';
import { CacheController } from './cache.controller.js';
import { ConsoleContentService, ContentController } from './content.controller.js';
import { ApiDocumentService } from './docs/api-document.service.js';
import { DocsController, OwnDocsController } from './docs/docs.controller.js';
import { ConsoleGuardsService, GuardsController } from './guards.controller.js';
import { ConsoleKeysService } from './keys/console-keys.service.js';
import { InheritedLimitsService } from './keys/inherited-limits.service.js';
import { KeyRightsService } from './keys/key-rights.service.js';
import { KeysController } from './keys/keys.controller.js';
import {
  ConsoleLimitsService,
  LimitsController,
  LimitUseService,
  UserLimitsController,
} from './limits/limits.controller.js';
import { ModelHealthService } from './models/model-health.service.js';
import { ConsoleModelsController } from './models/models.controller.js';
import { ModelFiguresService, ModelsViewService } from './models/models-view.service.js';
import { OidcController } from './oidc/oidc.controller.js';
import { OidcSignInService } from './oidc/oidc-sign-in.service.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewPlanService, OverviewService, OverviewSpansService } from './overview/overview.service.js';
import { PasswordLinksController } from './password-links.controller.js';
import { PaymentsController, StripeWebhookController } from './payments.controller.js';
import { ConsolePlansService, PlansController, UserPlanController } from './plans.controller.js';
import { PlaygroundController } from './playground.controller.js';
import { ConsoleProjectsService, ProjectAccessService } from './projects/console-projects.service.js';
import { ProjectFactsService, ProjectListService } from './projects/project-list.service.js';
import { ProjectsController } from './projects/projects.controller.js';
import { ConsoleServiceAccountsService, ServiceAccountsController } from './projects/service-accounts.controller.js';
import { ScimController } from './scim.controller.js';
import { BrowserSessionsService } from './session/current-session.js';
import { SessionController } from './session/session.controller.js';
import { SessionViewService } from './session/session-view.service.js';
import { SettingsController } from './settings.controller.js';
import { SetupController } from './setup.controller.js';
import { ConsoleTokensService } from './tokens/console-tokens.service.js';
import { PermissionsController, TokensController } from './tokens/tokens.controller.js';
import { UpstreamsController, UpstreamTestsService } from './upstreams/upstreams.controller.js';
import { CachedSharesService, UpstreamsViewService } from './upstreams/upstreams-view.service.js';
import { ConsoleErrorsService } from './usage/console-errors.service.js';
import { ConsoleRequestsService, ProjectFacetsService } from './usage/console-requests.service.js';
import { ConsoleUsageService } from './usage/console-usage.service.js';
import { RefusalReasonService } from './usage/refusal-reason.service.js';
import { UsageController } from './usage/usage.controller.js';
import { UsageExportService } from './usage/usage-export.service.js';
import { UsageLabelsService, UsageScopeService } from './usage/usage-scope.service.js';
import { UserBatchService } from './users/user-batch.service.js';
import { UserListService } from './users/user-list.service.js';
import { ConsoleUsersService, UsersController } from './users/users.controller.js';
import { WebService } from './web.service.js';

/** The console: its API under `/api`, its pages, and the documentation of both APIs. */
@Module({
  imports: [
    AccountsModule,
    AlertsModule,
    ApplyModule,
    AuditModule,
    CacheModule,
    CacheSettingsModule,
    ContentLogModule,
    AuthModule,
    BillingModule,
    BudgetsModule,
    GuardsModule,
    UsageModule,
    ModelsModule,
    OidcModule,
    CompletionsModule,
    UpstreamsModule,
    PaymentsModule,
    ScimModule,
  ],
  controllers: [
    PaymentsController,
    StripeWebhookController,
    UsageController,
    AlertsController,
    ApplyController,
    ScimController,
    AuditController,
    CacheController,
    ContentController,
    BudgetsController,
    GuardsController,
    PlansController,
    LimitsController,
    UserLimitsController,
    UserPlanController,
    SettingsController,
    UpstreamsController,
    AccountController,
    UsersController,
    PasswordLinksController,
    SetupController,
    OidcController,
    SessionController,
    ConsoleModelsController,
    DocsController,
    OwnDocsController,
    OverviewController,
    KeysController,
    PermissionsController,
    TokensController,
    ProjectsController,
    ServiceAccountsController,
    PlaygroundController,
  ],
  providers: [
    ConsoleUsageService,
    UsageExportService,
    UsageLabelsService,
    UsageScopeService,
    ProjectFacetsService,
    ConsoleErrorsService,
    RefusalReasonService,
    ConsoleRequestsService,
    ConsoleUsersService,
    UserBatchService,
    UserListService,
    AuditExportService,
    ConsoleContentService,
    BudgetStandingsService,
    ConsoleGuardsService,
    ConsoleLimitsService,
    LimitUseService,
    ConsolePlansService,
    CachedSharesService,
    UpstreamTestsService,
    UpstreamsViewService,
    OidcSignInService,
    BrowserSessionsService,
    SessionViewService,
    ApiDocumentService,
    ConsoleKeysService,
    InheritedLimitsService,
    KeyRightsService,
    ConsoleTokensService,
    ModelFiguresService,
    ModelHealthService,
    ConsoleProjectsService,
    ConsoleServiceAccountsService,
    ProjectAccessService,
    ProjectFactsService,
    ProjectListService,
    ModelsViewService,
    OverviewService,
    OverviewPlanService,
    OverviewSpansService,
    WebService,
  ],
})
export class ConsoleModule {}
