import { Body, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiNotFoundResponse, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, IsUUID, Matches, Max, Min } from 'class-validator';
import { ProjectsService } from '../accounts/projects.service.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { CacheSettingsService } from '../cache/cache-settings.service.js';
import { CacheUsageService, type CacheUse } from '../cache/cache-usage.service.js';
import { KeyRightsService } from './keys/key-rights.service.js';
import { ProjectAccessService } from './projects/console-projects.service.js';
import { ConsoleController, Returns, ReturnsNothing } from './session/console.guard.js';
import { CurrentSession, type SignedIn } from './session/current-session.js';
import { Access } from './session/route-access.js';
import { NO_CONTROL_CHARACTERS } from './shared/fields.js';
import { Integer, toDollars } from './shared/views.js';

const DEFAULT_DAYS = 30;

class CacheReportQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 400, default: DEFAULT_DAYS })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(400)
  days?: number;
}

class CacheClearQuery {
  @ApiPropertyOptional({ description: 'Only the answers of this model.' })
  @IsOptional()
  @IsString()
  @Matches(NO_CONTROL_CHARACTERS, { message: 'model must not contain control characters' })
  model?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Only the answers of this project.' })
  @IsOptional()
  @IsUUID()
  project?: string;
}

class CacheDto {
  @ApiProperty({ description: 'A duration such as 1h, none, or default: as the model’s row says.', example: '1h' })
  @IsString()
  cache!: string;
}

class CacheUseView {
  @ApiProperty({ description: 'The id of a model, or the name of a project; empty for callers without a project.' })
  name!: string;

  @Integer()
  hits!: number;

  @Integer()
  misses!: number;

  @ApiProperty({ description: 'What the calls would have cost that were answered from the cache.' })
  savedUsd!: number;
}

class CacheReportView {
  @ApiProperty({ type: [CacheUseView] })
  models!: CacheUseView[];

  @ApiProperty({ type: [CacheUseView] })
  projects!: CacheUseView[];
}

class ClearedView {
  @Integer()
  cleared!: number;
}

@ConsoleController('', 'Cache of equal answers', ['usage.read', 'all'])
export class CacheController {
  constructor(
    private readonly usage: CacheUsageService,
    private readonly settings: CacheSettingsService,
    private readonly projects: ProjectsService,
    private readonly access: ProjectAccessService,
    private readonly keys: ApiKeysService,
    private readonly rights: KeyRightsService,
  ) {}

  @Get('cache')
  @Returns(CacheReportView, 'How often calls were answered from the cache, and what that saved')
  async report(@Query() { days = DEFAULT_DAYS }: CacheReportQuery): Promise<CacheReportView> {
    const { models, projects } = await this.usage.report(days);
    return { models: models.map(toView), projects: projects.map(toView) };
  }

  @Delete('cache')
  @Access(['projects.write', 'all'])
  @Returns(ClearedView, 'Delete cached answers: all, or those of a model or a project')
  @ApiNotFoundResponse({ description: 'There is no such project.' })
  async clear(@Query() { model, project }: CacheClearQuery, @CurrentSession() session: SignedIn): Promise<ClearedView> {
    const found = project === undefined ? null : await this.projects.get(project);
    return { cleared: await this.settings.clear(model ?? null, found, session.actor) };
  }

  @Get('projects/:id/cache')
  @Access(['projects.read', 'project'])
  @Returns(CacheDto, 'For how long answers to calls of a project are cached')
  async ofProject(@Param('id') id: string, @CurrentSession() session: SignedIn): Promise<CacheDto> {
    await this.access.assertMay(id, session, 'projects.read');
    return { cache: await this.settings.of('project', id) };
  }

  @Put('projects/:id/cache')
  @Access(['projects.write', 'project'])
  @ReturnsNothing('Cache the answers to equal calls of a project; effective within a second')
  async setProject(
    @Param('id') id: string,
    @Body() { cache }: CacheDto,
    @CurrentSession() session: SignedIn,
  ): Promise<void> {
    await this.access.assertMay(id, session, 'projects.write');
    await this.settings.set('project', id, cache, session.actor);
  }

  @Get('keys/:id/cache')
  @Access(['keys.read', 'own'])
  @Returns(CacheDto, 'For how long answers to calls of a key are cached')
  async ofKey(@Param('id') id: string, @CurrentSession() session: SignedIn): Promise<CacheDto> {
    const key = await this.keys.get(await this.rights.refOf(id, session, 'keys.read'));
    return { cache: await this.settings.of('key', key.id) };
  }

  @Put('keys/:id/cache')
  @Access(['keys.write', 'own'])
  @ReturnsNothing('Cache the answers to equal calls of a key; effective within a second')
  async setKey(
    @Param('id') id: string,
    @Body() { cache }: CacheDto,
    @CurrentSession() session: SignedIn,
  ): Promise<void> {
    const key = await this.keys.get(await this.rights.refOf(id, session, 'keys.write'));
    await this.settings.set('key', key.id, cache, session.actor);
  }
}

function toView({ name, hits, misses, savedNanodollars }: CacheUse): CacheUseView {
  return { name, hits, misses, savedUsd: toDollars(savedNanodollars) };
}
