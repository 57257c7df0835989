import { Injectable } from '@nestjs/common';
import type { Session } from '../../accounts/session.types.js';
import type { UsageRequestFilter } from '../../usage/reports/usage-call.types.js';
import { RequestFacetsService } from '../../usage/requests/request-facets.service.js';
import { RequestHistogramService } from '../../usage/requests/request-histogram.service.js';
import { adminOnly } from '../shared/console.errors.js';
import { ConsoleUsageService } from './console-usage.service.js';
import type { RequestFacetView, RequestHistogramView } from './dto/request-counts.view.js';
import type { UsageFacetQuery, UsageHistogramQuery } from './dto/usage-query.dto.js';
import { ProjectFacetsService } from './project-facets.service.js';
import { toRequestFilter } from './usage-question.js';
import { UsageScopeService } from './usage-scope.service.js';

const FOR_ADMINS: readonly UsageFacetQuery['of'][] = ['user', 'upstream', 'project'];

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
    return this.histograms.of(toRequestFilter(await this.scope.resolved(query, session), session), query.zone);
  }

  async facet({ of, ...query }: UsageFacetQuery, session: Session): Promise<RequestFacetView> {
    if (session.user.role !== 'admin' && FOR_ADMINS.includes(of)) throw adminOnly();
    if (of === 'project') return this.projects.of(toRequestFilter(query, session));
    const filter: UsageRequestFilter = toRequestFilter(
      await this.scope.resolved(of === 'user' ? { ...query, users: undefined } : query, session),
      session,
    );
    const { counts, newest } = await this.facets.of(of, filter);
    const isNamed = of === 'key' || of === 'user';
    const labelOf = await this.usage.labelsOf(isNamed ? of : 'model', counts);
    return { options: counts.map(({ id, count }) => ({ id, ...labelOf(id), count })), newest };
  }
}
