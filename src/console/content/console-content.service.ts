import { Injectable } from '@nestjs/common';
import { ProjectsService } from '../../accounts/projects/projects.service.js';
import { UsersService } from '../../accounts/users.service.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { KeyContentLogService } from '../../auth/key-content-log.service.js';
import { GatewayError } from '../../common/gateway.error.js';
import { NotFoundError } from '../../common/not-found.error.js';
import { ContentLogService } from '../../content-log/content-log.service.js';
import { StoredContentsService } from '../../content-log/stored-contents.service.js';
import { KeyRightsService } from '../keys/key-rights.service.js';
import { ProjectAccessService } from '../projects/project-access.service.js';
import type { SignedIn } from '../session/current-session.js';
import { conflict } from '../shared/console.errors.js';
import { ConsoleUsageService } from '../usage/console-usage.service.js';
import type { CallContentView } from './dto/content.dto.js';

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
    const call = await this.usage.call(id, session);
    // Members of a project see its requests; only managers see the prompts and answers.
    if (call.keyId !== null) await this.rights.refOf(call.keyId, session, 'change');
    const found = await this.stored.show(call.id, session.actor);
    if ('content' in found) return found.content;
    if (found.missing === 'key') throw lostKey();
    throw new NotFoundError('No prompt or answer is stored for this request.');
  }

  async switchKey(id: string, isOn: boolean, session: SignedIn): Promise<void> {
    const key = await this.keys.get(await this.rights.refOf(id, session, 'change'));
    const isOwn = key.userId === session.user.id || (await this.projectOf(key.userId)) !== null;
    if (isOn && !isOwn) throw notOwner();
    if (isOn && !this.log.isPossible) throw noEncryption();
    await this.switches.switch(key.id, isOn, session.actor);
  }

  async switchProject(id: string, isOn: boolean, session: SignedIn): Promise<void> {
    await this.access.assertMay(id, session, 'change');
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
