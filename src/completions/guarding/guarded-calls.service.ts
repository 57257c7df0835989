import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '../../auth/caller.types.js';
import { GatewayError } from '../../common/gateway.error.js';
import { completionIdOf } from '../../common/ids.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { CallGuards } from '../../guards/call-guards.js';
import { GuardsService } from '../../guards/guards.service.js';
import { clientLeft, type RequestContext } from '../../http/request-context.js';
import { LimitsService } from '../../limits/limits.service.js';
import { CatalogService } from '../../models/catalog.service.js';
import { GuardHitsService } from '../../usage/guard-hits.service.js';
import type { CallFormat } from '../formats/call-format.js';

/** Finds the guards of calls and checks their requests. */
@Injectable()
export class GuardedCallsService {
  constructor(
    @InjectSettings() private readonly settings: Settings,
    private readonly guards: GuardsService,
    private readonly catalog: CatalogService,
    private readonly limits: LimitsService,
    private readonly hits: GuardHitsService,
  ) {}

  /**
   * Null: no guard applies. `body`: as the client sent it. A fallback can serve the call, so that the guards of the
   * model's fallbacks apply as well. What they find is reported when the response has ended or its client has left.
   */
  of(caller: Caller, { api, modelIn }: CallFormat, body: unknown, request: Request): CallGuards | null {
    if (this.settings.guardSettings.size === 0 && caller.guards.length === 0) return null;
    const { context } = request;
    const name = modelIn ? modelIn(request) : (body as { model?: unknown } | null)?.model;
    const model = typeof name === 'string' ? this.catalog.find(name) : undefined;
    const models = model ? [model, ...this.catalog.fallbacksOf(caller, model)] : [];
    const guards = this.guards.of(caller.guards, ...models.map((one) => one.guards));
    if (guards.length === 0) return null;
    if (model) context.requested.model = model.id;
    const response = request.res as Response;
    const found = new CallGuards(guards, {
      id: completionIdOf(context.id),
      api,
      model: model?.id ?? '',
      userId: caller.userId,
      project: caller.project?.id ?? null,
      keyId: caller.keyId,
      signal: guards.some(({ stream }) => stream.kind === 'window') ? clientLeft(response) : undefined,
    });
    response.on('close', () => this.report(found, caller, context));
    return found;
  }

  /** The body as it may be sent. A blocked request counts as one of the caller's rate. */
  async checked(guards: CallGuards, caller: Caller, body: unknown, { context, res }: Request): Promise<unknown> {
    // What was just parsed has had its turn.
    if ((context.body?.size ?? 0) > LARGE_BODY) await nextTurn();
    try {
      return await guards.checkRequest(body);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status >= 500) throw error;
      throw error.with({}, await this.limits.takeRequest(caller));
    } finally {
      const found = guards.header(true);
      if (found !== null) (res as Response).setHeader('x-gateway-guards', found);
    }
  }

  private report({ hits }: CallGuards, { userId }: Caller, { id }: RequestContext): void {
    if (hits.length === 0) return;
    const found = hits.map(({ guard, name: kind, action, side, count }) => ({ guard, kind, action, side, count }));
    this.hits.record(id, userId, found);
  }
}

/** Bytes whose parsing takes a millisecond. */
const LARGE_BODY = 128 * 1024;
