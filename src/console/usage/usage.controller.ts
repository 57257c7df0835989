import { Get, Param, Query, Res } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Session } from '../../accounts/user.types.js';
import { ConsoleController, Returns } from '../session/console.guard.js';
import { CurrentSession } from '../session/current-session.js';
import { Access } from '../session/route-access.js';
import { sendDownload } from '../shared/download.js';
import { ViewOrNull } from '../shared/views.js';
import { ConsoleErrorsService, ErrorCausesView } from './console-errors.service.js';
import { ConsoleRequestsService } from './console-requests.service.js';
import { ConsoleUsageService } from './console-usage.service.js';
import { RefusalReasonService, RefusalReasonView } from './refusal-reason.service.js';
import { CallDetailView, CallPageView, RequestFacetView, RequestHistogramView } from './usage-call.view.js';
import { UsageExportService } from './usage-export.service.js';
import {
  UsageCallsQuery,
  UsageExportQuery,
  UsageFacetQuery,
  UsageGroupsQuery,
  UsageHistogramQuery,
  UsageReportQuery,
  UsageRequestsQuery,
} from './usage-query.dto.js';
import { UsageGroupPageView, UsageReportView } from './usage-report.view.js';

export class ExplainedCallView extends CallDetailView {
  @ViewOrNull(RefusalReasonView, 'Why it was refused, as of now; null if it was not.')
  refusal!: RefusalReasonView | null;
}

@ConsoleController('usage', 'Usage', ['usage.read', 'own'])
export class UsageController {
  constructor(
    private readonly usage: ConsoleUsageService,
    private readonly exports: UsageExportService,
    private readonly requests: ConsoleRequestsService,
    private readonly causes: ConsoleErrorsService,
    private readonly refusals: RefusalReasonService,
  ) {}

  @Get()
  @Returns(UsageReportView, 'Usage in a period: in total, by group, and by hour or day')
  report(@Query() query: UsageReportQuery, @CurrentSession() session: Session): Promise<UsageReportView> {
    return this.usage.report(query, session);
  }

  @Get('groups')
  @Returns(UsageGroupPageView, 'More groups of a report, page by page')
  groups(@Query() query: UsageGroupsQuery, @CurrentSession() session: Session): Promise<UsageGroupPageView> {
    return this.usage.groups(query, session);
  }

  @Get('calls')
  @Access(['requests.read', 'own'])
  @Returns(CallPageView, 'Single requests, newest first')
  calls(@Query() query: UsageCallsQuery, @CurrentSession() session: Session): Promise<CallPageView> {
    return this.usage.calls(query, session);
  }

  @Get('calls/histogram')
  @Access(['requests.read', 'own'])
  @Returns(RequestHistogramView, 'How many requests succeeded, failed and were refused, by hour or day')
  histogram(@Query() query: UsageHistogramQuery, @CurrentSession() session: Session): Promise<RequestHistogramView> {
    return this.requests.histogram(query, session);
  }

  @Get('calls/facets')
  @Access(['requests.read', 'own'])
  @Returns(RequestFacetView, 'The values of one filter, with the number of requests that have each')
  facet(@Query() query: UsageFacetQuery, @CurrentSession() session: Session): Promise<RequestFacetView> {
    return this.requests.facet(query, session);
  }

  @Get('calls/:id')
  @Access(['requests.read', 'own'])
  @Returns(ExplainedCallView, 'One request with its attempts', {
    description:
      'By the id of the answer (`chatcmpl-…`, `resp_…`, `msg_…`), by its `x-request-id`, or by the id of a refused request.',
  })
  @ApiNotFoundResponse({ description: 'There is no request with this id, or it belongs to someone else.' })
  async call(@Param('id') id: string, @CurrentSession() session: Session): Promise<ExplainedCallView> {
    const call = await this.usage.call(id, session);
    return { ...call, refusal: await this.refusals.of(call) };
  }

  @Get('errors')
  @Access(['requests.read', 'own'])
  @Returns(ErrorCausesView, 'Errors by cause, over the whole range', {
    description:
      'Failed requests with the same upstream, status, error code and message, and refused ones with the same status and error code. Conditions on streaming, cost and duration do not apply.',
  })
  errors(@Query() query: UsageRequestsQuery, @CurrentSession() session: Session): Promise<ErrorCausesView> {
    return this.causes.of(query, session);
  }

  @Get('export')
  @ApiOperation({ summary: 'An export: the report with every group, or every single request' })
  @ApiProduces('text/csv', 'application/json')
  async export(
    @Query() query: UsageExportQuery,
    @CurrentSession() session: Session,
    @Res() response: Response,
  ): Promise<void> {
    await sendDownload(response, await this.exports.begin(query, session));
  }
}
