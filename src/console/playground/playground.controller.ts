import { Post } from '@nestjs/common';
import type { Session } from '../../accounts/session.types.js';
import { PlaygroundKeysService } from '../../auth/playground-keys.service.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { CurrentSession } from '../session/current-session.js';
import { PlaygroundKeyView } from './dto/playground-key.dto.js';

@ConsoleController('playground', 'Playground', 'member')
export class PlaygroundController {
  constructor(private readonly playgroundKeys: PlaygroundKeysService) {}

  @Post('key')
  @Returns(PlaygroundKeyView, 'A key for the playground', {
    status: 201,
    description: 'It works for 15 minutes on `/v1` with your own rights, and is not listed.',
  })
  async createKey(@CurrentSession() { user }: Session): Promise<PlaygroundKeyView> {
    const { key, expiresAt } = await this.playgroundKeys.create(user.id);
    return { key, expiresAt };
  }
}
