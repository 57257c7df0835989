import { Injectable } from '@nestjs/common';
import type { Permission } from '../../accounts/permissions.js';
import type { Viewer } from '../../accounts/user.types.js';
import { NotFoundError } from '../../common/usage.error.js';
import { StoredContentsService } from '../../content-log/stored-contents.service.js';
import { CatalogService } from '../../models/catalog.service.js';
import { GuardReportService } from '../../usage/guard-hits.service.js';
import { isRefusedId, RefusedRequestsService } from '../../usage/recent-errors.service.js';
import { UnchargedCostsService, UnpricedCallsService } from '../../usage/uncharged-costs.service.js';
import type {
  RefusedRequest,
  UsageCall,
  UsageCallDetail,
  UsageGrouping,
  UsageQuestion,
} from '../../usage/usage.types.js';
import { UsageCallsService } from '../../usage/usage-calls.service.js';
import { UsageReportsService } from '../../usage/usage-reports.service.js';
import { UsageRequestsService } from '../../usage/usage-requests.service.js';
import type { CallDetail, CallPageView, CallView } from './usage-call.view.js';
import type { UsageCallsQuery, UsageGroupsQuery, UsageReportQuery } from './usage-query.dto.js';
import {
  type CallNames,
  type GroupLabels,
  toCallDetailView,
  toCallView,
  toGroupView,
  toReportView,
  type UsageGroupPageView,
  type UsageReportView,
} from './usage-report.view.js';
import {
  toCallFilter,
  toQuestion,
  toRequestFilter,
  type UsageLabel,
  UsageLabelsService,
  UsageScopeService,
} from './usage-scope.service.js';

type CallOwner = Pick<RefusedRequest, 'keyId' | 'userId'>;

const ALL = { label: 'All', detail: null };
/** Of refused requests, unless they are grouped by upstream. */
const NO_GROUP_LABELS: Record<UsageGrouping, string> = {
  model: 'Unknown model',
  key: 'Unknown key',
  user: 'Unknown user',
  upstream: 'No upstream',
  status: 'Unknown status',
  api: 'Unknown API',
  project: 'No project',
};

/** Reports and calls for the console: with names, and only what the caller can see. */
@Injectable()
export class ConsoleUsageService {
  constructor(
    private readonly reports: UsageReportsService,
    private readonly ledger: UsageCallsService,
    private readonly requests: UsageRequestsService,
    private readonly refused: RefusedRequestsService,
    private readonly labels: UsageLabelsService,
    private readonly unpriced: UnpricedCallsService,
    private readonly uncharged: UnchargedCostsService,
    private readonly contents: StoredContentsService,
    private readonly catalog: CatalogService,
    private readonly scope: UsageScopeService,
    private readonly guardReport: GuardReportService,
  ) {}

  async report(query: UsageReportQuery, session: Viewer): Promise<UsageReportView> {
    const requested = await this.scope.resolved(query, session, 'usage.read');
    const question = toQuestion(requested, session);
    const [report, unpricedCalls, uncharged] = await Promise.all([
      this.reports.report(question),
      this.unpriced.count(toCallFilter(requested, session, 'usage.read'), this.catalog.unpriced()),
      this.unchargedOf(question),
    ]);
    const labelOf = await this.labelsOf(question.groupBy, report.groups);
    return toReportView(report, { ...question, unpricedCalls, uncharged }, labelOf);
  }

  /** Known only by model, not by caller, status or API. */
  private async unchargedOf(question: UsageQuestion): Promise<bigint | null> {
    const { from, to, users, keys, statuses, apis, upstreams, models } = question;
    return users || keys || statuses || apis || upstreams ? null : this.uncharged.between(from, to, models);
  }

  /** A page of the report's groups; page 1 is in the report itself. */
  async groups({ page, ...query }: UsageGroupsQuery, session: Viewer): Promise<UsageGroupPageView> {
    const question = toQuestion(await this.scope.resolved(query, session, 'usage.read'), session);
    const { groups, groupCount } = await this.reports.groups(question, page - 1);
    const labelOf = await this.labelsOf(question.groupBy, groups);
    return { groupCount, groups: groups.map(({ id, sums }) => toGroupView(id, sums, labelOf(id), false)) };
  }

  async calls({ cursor, limit, ...query }: UsageCallsQuery, session: Viewer): Promise<CallPageView> {
    const filter = toRequestFilter(await this.scope.resolved(query, session, 'requests.read'), session);
    const { items, ...rest } = await this.requests.page(filter, cursor ?? null, limit);
    return { items: await this.toCallViews(items), ...rest };
  }

  /** `id`: of the call, of its request, or of a refused request. Admins can see any. */
  async call(id: string, session: Viewer, permission: Permission = 'requests.read'): Promise<CallDetail> {
    const call = await this.found(id, await this.scope.visibleOwners(session, permission));
    const [namesOf, isPlayground, guards, hasContent, mayReadContent] = await Promise.all([
      this.namesOf([call]),
      this.labels.isPlaygroundKey(call.keyId),
      this.guardReport.of(call.requestId),
      this.contents.has(call.id),
      this.scope.mayReadContent(call.userId, session),
    ]);
    const model = call.status === 'refused' ? undefined : this.catalog.find(call.servedModel ?? call.model);
    return toCallDetailView(call, model, namesOf(call), { isPlayground, guards, hasContent, mayReadContent });
  }

  async toCallViews(calls: readonly (UsageCall | RefusedRequest)[]): Promise<CallView[]> {
    const namesOf = await this.namesOf(calls);
    return calls.map((call) => toCallView(call, namesOf(call)));
  }

  async labelsOf(groupBy: UsageGrouping | null, groups: readonly { id: string | null }[]): Promise<GroupLabels> {
    const ids = groups.map(({ id }) => id);
    if (groupBy === null) return () => ALL;
    const withNull = (labelOf: (id: string) => UsageLabel) => (id: string | null) =>
      id === null ? { label: NO_GROUP_LABELS[groupBy], detail: null } : labelOf(id);
    if (groupBy === 'key') return withNull(await this.labels.ofKeys(ids));
    if (groupBy === 'user') return withNull(await this.labels.ofUsers(ids));
    if (groupBy === 'project') return withNull(await this.labels.ofProjects(ids));
    return withNull((id) => ({ label: id, detail: null }));
  }

  private async namesOf(calls: readonly CallOwner[]): Promise<(call: CallOwner) => CallNames> {
    const userIds = calls.map(({ userId }) => userId);
    const [keyOf, userOf, projectOf] = await Promise.all([
      this.labels.ofKeys(calls.map(({ keyId }) => keyId)),
      this.labels.ofUsers(userIds),
      this.labels.projectOf(userIds),
    ]);
    return ({ keyId, userId }) => ({ key: keyOf(keyId), user: userOf(userId), project: projectOf(userId) });
  }

  private async found(id: string, owners: readonly string[] | null): Promise<UsageCallDetail | RefusedRequest> {
    if (isRefusedId(id)) return this.refused.get(id, owners);
    try {
      return await this.ledger.get(id, owners);
    } catch (error) {
      const refused = error instanceof NotFoundError ? await this.refused.ofRequest(id, owners) : null;
      if (refused === null) throw error;
      return refused;
    }
  }
}
