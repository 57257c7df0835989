import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { OidcModule } from '../accounts/oidc/oidc.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { CompletionsModule } from '../completions/completions.module.js';
import { ContentLogModule } from '../content-log/content-log.module.js';
import { BudgetsModule } from '../limits/budgets.module.js';
import { ModelsModule } from '../models/models.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { AccountController } from './account/account.controller.js';
import { AlertsController } from './alerts/alerts.controller.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditExportService } from './audit/audit-export.service.js';
import { BudgetStandingsService } from './budgets/budget-standings.service.js';
import { BudgetsController } from './budgets/budgets.controller.js';
import { ConsoleContentService } from './content/console-content.service.js';
import { ContentController } from './content/content.controller.js';
import { ApiDocumentService } from './docs/api-document.service.js';
import { DocsController } from './docs/docs.controller.js';
import { OwnDocsController } from './docs/own-docs.controller.js';
import { ConsoleKeysService } from './keys/console-keys.service.js';
import { KeyRightsService } from './keys/key-rights.service.js';
import { KeysController } from './keys/keys.controller.js';
import { ConsoleLimitsService } from './limits/console-limits.service.js';
import { LimitUseService } from './limits/limit-use.service.js';
import { LimitsController } from './limits/limits.controller.js';
import { UserLimitsController } from './limits/user-limits.controller.js';
import { ConsoleModelsController } from './models/console-models.controller.js';
import { ModelFiguresService } from './models/model-figures.service.js';
import { ModelHealthService } from './models/model-health.service.js';
import { ModelsViewService } from './models/models-view.service.js';
import { OidcController } from './oidc/oidc.controller.js';
import { OidcSignInService } from './oidc/oidc-sign-in.service.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewService } from './overview/overview.service.js';
import { OverviewPlanService } from './overview/overview-plan.service.js';
import { OverviewSpansService } from './overview/overview-spans.service.js';
import { PasswordLinksController } from './password-links/password-links.controller.js';
import { PaymentsController } from './payments/payments.controller.js';
import { StripeWebhookController } from './payments/stripe-webhook.controller.js';
import { ConsolePlansService } from './plans/console-plans.service.js';
import { PlansController } from './plans/plans.controller.js';
import { UserPlanController } from './plans/user-plan.controller.js';
import { PlaygroundController } from './playground/playground.controller.js';
import { ConsoleProjectsService } from './projects/console-projects.service.js';
import { ConsoleServiceAccountsService } from './projects/console-service-accounts.service.js';
import { ProjectAccessService } from './projects/project-access.service.js';
import { ProjectFactsService } from './projects/project-facts.service.js';
import { ProjectListService } from './projects/project-list.service.js';
import { ProjectsController } from './projects/projects.controller.js';
import { ServiceAccountsController } from './projects/service-accounts.controller.js';
import { BrowserSessionsService } from './session/browser-sessions.service.js';
import { SessionController } from './session/session.controller.js';
import { SessionViewService } from './session/session-view.service.js';
import { SettingsController } from './settings/settings.controller.js';
import { SetupController } from './setup/setup.controller.js';
import { CachedSharesService } from './upstreams/cached-shares.service.js';
import { UpstreamTestsService } from './upstreams/upstream-tests.service.js';
import { UpstreamsController } from './upstreams/upstreams.controller.js';
import { UpstreamsViewService } from './upstreams/upstreams-view.service.js';
import { ConsoleRequestsService } from './usage/console-requests.service.js';
import { ConsoleUsageService } from './usage/console-usage.service.js';
import { ProjectFacetsService } from './usage/project-facets.service.js';
import { UsageController } from './usage/usage.controller.js';
import { UsageExportService } from './usage/usage-export.service.js';
import { UsageLabelsService } from './usage/usage-labels.service.js';
import { UsageScopeService } from './usage/usage-scope.service.js';
import { ConsoleUsersService } from './users/console-users.service.js';
import { UserListService } from './users/user-list.service.js';
import { UsersController } from './users/users.controller.js';
import { WebService } from './web/web.service.js';

/** The console: its API under `/api`, its pages, and the documentation of both APIs. */
@Module({
  imports: [
    AccountsModule,
    AlertsModule,
    AuditModule,
    ContentLogModule,
    AuthModule,
    BillingModule,
    BudgetsModule,
    UsageModule,
    ModelsModule,
    OidcModule,
    CompletionsModule,
    UpstreamsModule,
    PaymentsModule,
  ],
  controllers: [
    PaymentsController,
    StripeWebhookController,
    UsageController,
    AlertsController,
    AuditController,
    ContentController,
    BudgetsController,
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
    ConsoleRequestsService,
    ConsoleUsersService,
    UserListService,
    AuditExportService,
    ConsoleContentService,
    BudgetStandingsService,
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
    KeyRightsService,
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
