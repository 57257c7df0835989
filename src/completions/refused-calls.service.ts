import { Injectable } from '@nestjs/common';
import { flatText } from '../common/flat-text.js';
import type { RequestContext } from '../http/request-context.js';
import { CatalogService } from '../models/catalog.service.js';
import { TracesService } from '../telemetry/traces/traces.service.js';
import { RefusalsService } from '../usage/refusals/refusals.service.js';

const MAX_MODEL_LENGTH = 1000;

/** Records requests that were refused elsewhere; it refuses none itself. */
@Injectable()
export class RefusedCallsService {
  constructor(
    private readonly refusals: RefusalsService,
    private readonly traces: TracesService,
    private readonly catalog: CatalogService,
  ) {}

  recordIfRefused(context: RequestContext, body: unknown): void {
    const { id, route, startedAt, keyId, keyDisplay, userId, requested, error, call } = context;
    if (!error || call?.isAccepted) return;
    const { code, type, message } = error.body;
    const { status } = error;
    const askedModel = askedModelOf(body);
    const model = requested.model ?? this.catalog.find(askedModel ?? '')?.id ?? null;
    const ms = performance.now() - startedAt;
    const errorCode = code ?? type;
    this.refusals.record(
      {
        requestId: id,
        api: route.name,
        keyId,
        keyDisplay,
        userId,
        model,
        status,
        code: errorCode,
        message,
        askedModel,
      },
      ms,
    );
    this.traces.refused(
      { requestId: id, api: route.name, model, httpStatus: status, errorCode, ms },
      context.traceparent,
    );
  }
}

function askedModelOf(body: unknown): string | null {
  const model = typeof body === 'object' && body !== null && 'model' in body ? body.model : null;
  return typeof model === 'string' ? flatText(model.slice(0, MAX_MODEL_LENGTH)) : null;
}
