import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Session } from '../../accounts/user.types.js';
import { RequestFacetsService, RequestHistogramService } from '../../usage/request-facets.service.js';
import type { UsageRequestFilter } from '../../usage/usage.types.js';
import { adminOnly } from '../shared/validation.js';
import { ConsoleUsageService } from './console-usage.service.js';
import type { RequestFacetOptionView, RequestFacetView, RequestHistogramView } from './usage-call.view.js';
import type { UsageFacetQuery, UsageHistogramQuery } from './usage-query.dto.js';
import { toHistogramFilter, toRequestFilter, UsageScopeService } from './usage-scope.service.js';

interface ProjectUser {
  userId: string;
  projectId: string;
  name: string;
}

/** The requests of each project: those of its users. */
@Injectable()
export class ProjectFacetsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly facets: RequestFacetsService,
  ) {}

  async of(filter: UsageRequestFilter): Promise<RequestFacetView> {
    const users: ProjectUser[] = await this.dataSource.query(
      `SELECT users.id AS "userId", projects.id AS "projectId", projects.name
       FROM users JOIN projects ON projects.id = project_id WHERE $1::uuid[] IS NULL OR users.id = ANY ($1)`,
      [filter.users ?? null],
    );
    if (users.length === 0) return { options: [], newest: null };
    const { counts, newest } = await this.facets.ofUsers(
      filter,
      users.map(({ userId }) => userId),
    );
    const countOf = new Map(counts.map(({ id, count }) => [id, count]));
    const options = new Map<string, RequestFacetOptionView>();
    for (const { userId, projectId, name } of users) {
      const before = options.get(projectId)?.count ?? 0;
      options.set(projectId, { id: projectId, label: name, detail: null, count: before + (countOf.get(userId) ?? 0) });
    }
    return { options: [...options.values()].sort((a, b) => b.count - a.count), newest };
  }
}

const FOR_ADMINS: readonly UsageFacetQuery['of'][] = ['user', 'upstream', 'project'];
/** Its own filter does not narrow a facet. */
const OWN_FILTER = { user: { users: undefined }, project: { projects: undefined } };

/** The counts beside the list of requests. */
@Injectable()
export class ConsoleRequestsService {
  constructor(
    private readonly histograms: RequestHistogramService,
    private readonly facets: RequestFacetsService,
    private readonly projects: ProjectFacetsService,
    private readonly usage: ConsoleUsageService,
    private readonly scope: UsageScopeService,
  ) {}

  async histogram(query: UsageHistogramQuery, session: Session): Promise<RequestHistogramView> {
    const requested = await this.scope.resolved(query, session, 'requests.read');
    return this.histograms.of(toHistogramFilter(requested, session), query.zone);
  }

  async facet({ of, ...query }: UsageFacetQuery, session: Session): Promise<RequestFacetView> {
    const isForAdmins = FOR_ADMINS.includes(of) && (of === 'upstream' || query.scope !== 'projects');
    if (isForAdmins && !session.rights.mayAll('requests.read')) throw adminOnly();
    const requested = of === 'user' || of === 'project' ? { ...query, ...OWN_FILTER[of] } : query;
    const filter = toRequestFilter(await this.scope.resolved(requested, session, 'requests.read'), session);
    if (of === 'project') return this.projects.of(filter);
    const { counts, newest } = await this.facets.of(of, filter);
    const isNamed = of === 'key' || of === 'user';
    const labelOf = await this.usage.labelsOf(isNamed ? of : 'model', counts);
    return { options: counts.map(({ id, count }) => ({ id, ...labelOf(id), count })), newest };
  }
}
