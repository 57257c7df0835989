import { Controller, Get, Post, Query, Req, Res, UseGuards, UsePipes } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiConsumes,
  ApiOperation,
  ApiProduces,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Applied, type AppliedChange, ApplyService } from '../apply/apply.service.js';
import { readBody } from '../http/body/request-body.js';
import { ConsoleGuard, Returns } from './session/console.guard.js';
import { CurrentSession, type SignedIn } from './session/current-session.js';
import { Access } from './session/route-access.js';
import { OptionalChoice } from './shared/fields.js';
import { consoleValidation, insufficientPermissions } from './shared/validation.js';
import { TextOrNull } from './shared/views.js';

/** Thousands of keys. */
const BODY_LIMIT = 4 * 1024 * 1024;
const FLAGS = ['true', 'false'];

class ApplyQuery {
  @OptionalChoice(FLAGS, { default: 'false', description: 'Only say what would change.' })
  dryRun?: 'true' | 'false';

  @OptionalChoice(FLAGS, {
    default: 'false',
    description: 'Remove what an earlier apply made and the file does not name any more.',
  })
  prune?: 'true' | 'false';
}

class AppliedChangeView implements AppliedChange {
  @ApiProperty({ enum: ['create', 'update', 'remove'] })
  action!: AppliedChange['action'];

  @ApiProperty({ enum: ['plan', 'user', 'project', 'member', 'service account', 'key'] })
  kind!: AppliedChange['kind'];

  @ApiProperty({ example: 'crawler-prod of search/crawler' })
  name!: string;

  @TextOrNull('The changed field, such as `limits.budgetMonthUsd`; null: the whole of it.')
  field!: string | null;

  @ApiProperty({ nullable: true, oneOf: [{}], description: 'The value before.' })
  before!: AppliedChange['before'];

  @ApiProperty({ nullable: true, oneOf: [{}], description: 'The value afterwards.' })
  after!: AppliedChange['after'];

  @ApiProperty({ type: [String], description: 'Where the file names it; empty for what is removed.' })
  path!: readonly string[];

  @ApiProperty({ example: '~ project search limits.budgetMonthUsd 300 → 500' })
  line!: string;
}

class AppliedKeyView {
  @ApiProperty({ type: [String], example: ['projects', 'search', 'keys', 'crawler-prod'] })
  path!: readonly string[];

  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  display!: string;

  @ApiProperty({ description: 'The key itself; it is shown only once.' })
  key!: string;
}

class AppliedView implements Applied {
  @ApiProperty()
  dryRun!: boolean;

  @ApiProperty({ type: [AppliedChangeView] })
  changes!: readonly AppliedChangeView[];

  @ApiProperty({ type: [AppliedKeyView], description: 'New keys.' })
  keys!: readonly AppliedKeyView[];
}

@Controller('api/apply')
@UseGuards(ConsoleGuard)
@UsePipes(consoleValidation())
@ApiTags('Apply')
@Access(['apply', 'all'])
export class ApplyController {
  constructor(private readonly service: ApplyService) {}

  @Get()
  @ApiOperation({ summary: 'The file that describes plans, users, projects and keys; applying it changes nothing' })
  @ApiProduces('application/yaml')
  async export(@Res() response: Response): Promise<void> {
    response.type('application/yaml').send(await this.service.export());
  }

  @Post()
  @ApiConsumes('application/yaml', 'application/json')
  @ApiBody({ schema: { type: 'object', additionalProperties: true } })
  @ApiBadRequestResponse({ description: 'Mistakes in the file: all of them, with their paths and lines.' })
  @Returns(AppliedView, 'Make the gateway what a file says: all of it or nothing, effective within a second')
  async apply(
    @Query() { dryRun, prune }: ApplyQuery,
    @CurrentSession() session: SignedIn,
    @Req() request: Request,
  ): Promise<AppliedView> {
    const body = await readBody(request, { limit: BODY_LIMIT });
    const options = { dryRun: dryRun === 'true', prune: prune === 'true' };
    return this.service.apply(body.toString(), options, session.actor, (permission) => {
      if (!session.rights.mayAll(permission)) throw insufficientPermissions(permission);
    });
  }
}
