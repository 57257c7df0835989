import { type INestApplicationContext, Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { SettingsModule } from '../config/settings.module.js';
import { AuditExportService } from '../console/audit.controller.js';
import { ProjectAccessService } from '../console/projects/console-projects.service.js';
import { ConsoleUsageService } from '../console/usage/console-usage.service.js';
import { UsageExportService } from '../console/usage/usage-export.service.js';
import { UsageLabelsService, UsageScopeService } from '../console/usage/usage-scope.service.js';
import { ContentLogModule } from '../content-log/content-log.module.js';
import { ModelsModule } from '../models/models.module.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import { GuardReportService } from '../usage/guard-hits.service.js';
import { RefusedRequestsService } from '../usage/recent-errors.service.js';
import { UnchargedCostsService, UnpricedCallsService } from '../usage/uncharged-costs.service.js';
import { UsageCallsService } from '../usage/usage-calls.service.js';
import { UsageReportsService } from '../usage/usage-reports.service.js';
import { UsageRequestsService } from '../usage/usage-requests.service.js';
import { TOOL_DATABASE, withServices } from './services.js';

/** The console's reports and exports. The usage module itself writes, too. */
@Module({
  imports: [
    SettingsModule.forProtocols(PROVIDERS),
    TOOL_DATABASE,
    AccountsModule,
    AuditModule,
    ContentLogModule,
    ModelsModule,
  ],
  providers: [
    AuditExportService,
    ConsoleUsageService,
    GuardReportService,
    ProjectAccessService,
    RefusedRequestsService,
    UnchargedCostsService,
    UnpricedCallsService,
    UsageCallsService,
    UsageExportService,
    UsageLabelsService,
    UsageReportsService,
    UsageRequestsService,
    UsageScopeService,
  ],
})
class ReportCliModule {}

export function withReports<Result>(work: (services: INestApplicationContext) => Promise<Result>): Promise<Result> {
  return withServices(work, 'read', { module: ReportCliModule });
}
