import { Controller, Get, Header, Param, UseGuards } from '@nestjs/common';
import { BearerGuard } from '../../auth/bearer.guard.js';
import type { Caller } from '../../auth/caller.types.js';
import { CurrentCaller } from '../../auth/current-caller.js';
import { completionIdOf } from '../../common/completion-id.js';
import { UsageCallsService } from '../../usage/reports/usage-calls.service.js';
import { toExplanation } from './call-explanation.js';

/** `GET /v1/requests/{id}`: the record of a call for its owner, by request id or completion id. */
@Controller(['v1/requests', 'openai/v1/requests'])
@UseGuards(BearerGuard)
export class RequestsController {
  constructor(private readonly calls: UsageCallsService) {}

  @Get(':id')
  @Header('cache-control', 'private, no-store')
  async get(@CurrentCaller() { userId }: Caller, @Param('id') id: string) {
    return toExplanation(await this.calls.get(completionIdOf(id), [userId]));
  }
}
