import { Post } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { Session } from '../accounts/user.types.js';
import { PlaygroundKeysService } from '../auth/playground-keys.service.js';
import { ConsoleController, Returns } from './session/console.guard.js';
import { CurrentSession } from './session/current-session.js';

class PlaygroundKeyView {
  @ApiProperty({ description: 'For `Authorization: Bearer` on `/v1`. Keep it in memory only.' })
  key!: string;

  @ApiProperty({ description: 'When it stops working.' })
  expiresAt!: Date;
}

@ConsoleController('playground', 'Playground', ['keys.write', 'own'])
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
