import { All, Controller, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { Actor } from '../audit/audit.types.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { ScimService } from '../scim/scim.module.js';
import { ConsoleGuard } from './session/console.guard.js';
import { CurrentActor, consoleUrl } from './session/current-session.js';
import { Access } from './session/route-access.js';

/** SCIM 2.0, by which an identity provider creates people here, and disables those who leave. */
@Controller('scim/v2')
@UseGuards(ConsoleGuard)
@ApiExcludeController()
@Access(['scim', 'all'])
export class ScimController {
  constructor(
    private readonly scim: ScimService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  @All('{*path}')
  answer(@Req() request: Request, @Res() response: Response, @CurrentActor() actor: Actor): Promise<void> {
    return this.scim.answer(request, response, actor, consoleUrl(request, this.settings));
  }
}
