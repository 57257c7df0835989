import { Body, Get, Injectable, Param, Put } from '@nestjs/common';
import { ApiConflictResponse, ApiForbiddenResponse, ApiNotFoundResponse, ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { ProjectsService } from '../accounts/projects.service.js';
import { UsersService } from '../accounts/users.service.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { KeyContentLogService } from '../auth/key-content-log.service.js';
import { GatewayError } from '../common/gateway.error.js';
import { NotFoundError } from '../common/usage.error.js';
import { ContentLogService } from '../content-log/content-log.service.js';
import { StoredContentsService } from '../content-log/stored-contents.service.js';
import { KeyRightsService } from './keys/key-rights.service.js';
import { ProjectAccessService } from './projects/console-projects.service.js';
import { ConsoleController, Returns, ReturnsNothing } from './session/console.guard.js';
import { CurrentSession, type SignedIn } from './session/current-session.js';
import { Access } from './session/route-access.js';
import { conflict } from './shared/validation.js';
import { Integer, TextOrNull } from './shared/views.js';
import { ConsoleUsageService } from './usage/console-usage.service.js';

/** Checks who can see stored prompts and answers, and who can switch their storage on or off. */
@Injectable()
export class ConsoleContentService {
  constructor(
    private readonly usage: ConsoleUsageService,
    private readonly stored: StoredContentsService,
    private readonly log: ContentLogService,
    private readonly keys: ApiKeysService,
    private readonly switches: KeyContentLogService,
    private readonly rights: KeyRightsService,
    private readonly users: UsersService,
    private readonly projects: ProjectsService,
    private readonly access: ProjectAccessService,
  ) {}

  async show(id: string, session: SignedIn): Promise<CallContentView> {
    const call = await this.usage.call(id, session, 'content.read');
    // Members of a project see its requests; only managers see the prompts and answers.
    if (call.keyId !== null) await this.rights.refOf(call.keyId, session, 'content.read');
    const found = await this.stored.show(call.id, session.actor);
    if ('content' in found) return found.content;
    if (found.missing === 'key') throw lostKey();
    throw new NotFoundError('No prompt or answer is stored for this request.');
  }

  async switchKey(id: string, isOn: boolean, session: SignedIn): Promise<void> {
    const key = await this.keys.get(await this.rights.refOf(id, session, 'keys.write'));
    const isOwn = key.userId === session.user.id || (await this.projectOf(key.userId)) !== null;
    if (isOn && !isOwn) throw notOwner();
    if (isOn && !this.log.isPossible) throw noEncryption();
    await this.switches.switch(key.id, isOn, session.actor);
  }

  async switchProject(id: string, isOn: boolean, session: SignedIn): Promise<void> {
    await this.access.assertMay(id, session, 'projects.write');
    if (isOn && !this.log.isPossible) throw noEncryption();
    await this.projects.switchContentLog(id, isOn, session.actor);
  }

  /** The project of a user who owns keys; null: the user is a person, or a service account of no project. */
  private async projectOf(userId: string | null): Promise<string | null> {
    return (userId === null ? null : await this.users.findOwner(userId))?.projectId ?? null;
  }
}

function notOwner(): GatewayError {
  const message = 'Only the owner of a key can switch its content log on.';
  return new GatewayError(403, { message, type: 'permission_error', param: 'on', code: 'owner_only' });
}

function noEncryption(): GatewayError {
  const message = 'The content log needs an encryption key: set CONTENT_LOG_KEY and restart the gateway.';
  return conflict('content_log_off', message, 'on');
}

function lostKey(): GatewayError {
  return conflict('content_key_missing', 'This content was encrypted with a key that is no longer in CONTENT_LOG_KEY.');
}

class ContentLogDto {
  @ApiProperty({ description: 'Whether prompts and answers of its calls are stored, encrypted.' })
  @IsBoolean()
  on!: boolean;
}

export class LoggedToolCallView {
  @ApiProperty()
  name!: string;

  @ApiProperty()
  arguments!: string;
}

export class LoggedChoiceView {
  @Integer()
  index!: number;

  @ApiProperty()
  reasoning!: string;

  @ApiProperty()
  content!: string;

  @ApiProperty()
  refusal!: string;

  @ApiProperty({ type: [LoggedToolCallView] })
  toolCalls!: readonly LoggedToolCallView[];

  @TextOrNull('Null: the answer was cut off.')
  finishReason!: string | null;
}

/** The content of a call, in the format of Chat Completions, whichever API the client used. */
class CallContentView {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The request; images, sound and files are replaced by a note of their size.',
  })
  request!: Readonly<Record<string, unknown>>;

  @ApiProperty({ type: [LoggedChoiceView] })
  answer!: readonly LoggedChoiceView[];

  @ApiProperty({ description: 'Content is missing because it was larger than `contentLog.maxSize`.' })
  isCut!: boolean;
}

@ConsoleController('', 'Content log', ['content.read', 'own'])
export class ContentController {
  constructor(private readonly content: ConsoleContentService) {}

  @Get('usage/calls/:id/content')
  @Returns(CallContentView, 'The prompt and the answer of a request; the audit log records who viewed them', {
    description: 'For the owner of the key, managers of its project, and admins.',
  })
  @ApiNotFoundResponse({ description: 'Nothing is stored for this request, or it belongs to someone else.' })
  @ApiConflictResponse({ description: 'It was encrypted with a key that the gateway no longer has.' })
  show(@Param('id') id: string, @CurrentSession() session: SignedIn): Promise<CallContentView> {
    return this.content.show(id, session);
  }

  @Put('projects/:id/content-log')
  @Access(['projects.write', 'project'])
  @ReturnsNothing('Switch the content log of a project on or off, for all its keys; effective within a second', {
    description: 'For managers of the project and admins.',
  })
  @ApiConflictResponse({ description: 'The gateway has no encryption key.' })
  switchProject(
    @Param('id') id: string,
    @Body() { on }: ContentLogDto,
    @CurrentSession() session: SignedIn,
  ): Promise<void> {
    return this.content.switchProject(id, on, session);
  }

  @Put('keys/:id/content-log')
  @Access(['keys.write', 'own'])
  @ReturnsNothing('Switch the content log of a key on or off; effective within a second', {
    description: 'Only the owner, or a manager of its project, can switch it on; admins can also switch it off.',
  })
  @ApiForbiddenResponse({ description: 'Someone else’s key.' })
  @ApiConflictResponse({ description: 'The gateway has no encryption key.' })
  switchKey(
    @Param('id') id: string,
    @Body() { on }: ContentLogDto,
    @CurrentSession() session: SignedIn,
  ): Promise<void> {
    return this.content.switchKey(id, on, session);
  }
}
