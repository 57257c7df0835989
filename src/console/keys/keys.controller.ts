import { Body, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import type { Session } from '../../accounts/user.types.js';
import { ConsoleGuardsService } from '../guards.controller.js';
import { ConsoleController, Returns } from '../session/console.guard.js';
import { CurrentSession, type SignedIn } from '../session/current-session.js';
import { Access } from '../session/route-access.js';
import { ConsoleKeysService } from './console-keys.service.js';
import { InheritedLimitsService, InheritedLimitsView } from './inherited-limits.service.js';
import { CreatedKeyView, KeyActivityView, KeyCallsView, KeyDetailsView, KeyPageView, KeyView } from './key.view.js';
import { ChangeKeysDto, CreateKeyDto, KeyIdsDto, KeysQuery, RotateKeyDto, UpdateKeyDto } from './key-requests.dto.js';

@ConsoleController('keys', 'API keys', ['keys.write', 'own'])
export class KeysController {
  constructor(
    private readonly keys: ConsoleKeysService,
    private readonly inherited: InheritedLimitsService,
    private readonly guards: ConsoleGuardsService,
  ) {}

  @Get()
  @Access(['keys.read', 'own'])
  @Returns(KeyPageView, "Your API keys; for admins also everyone's")
  list(@Query() query: KeysQuery, @CurrentSession() session: Session): Promise<KeyPageView> {
    return this.keys.list(query, session);
  }

  @Post()
  @Returns(CreatedKeyView, 'Create an API key; only the response contains it', { status: 201 })
  create(@Body() body: CreateKeyDto, @CurrentSession() session: SignedIn): Promise<CreatedKeyView> {
    return this.keys.create(body, session);
  }

  @Post('changes')
  @Returns([KeyView], 'Disable, enable or revoke several API keys: all of them, or none')
  changeAll(@Body() body: ChangeKeysDto, @CurrentSession() session: SignedIn): Promise<KeyView[]> {
    return this.keys.changeAll(body, session);
  }

  @Post('activity')
  @Access(['keys.read', 'own'])
  @Returns([KeyCallsView], 'Whether several API keys are still in use')
  activities(@Body() { ids }: KeyIdsDto, @CurrentSession() session: Session): Promise<KeyCallsView[]> {
    return this.keys.activities(ids, session);
  }

  @Get(':id')
  @Access(['keys.read', 'own'])
  @Returns(KeyDetailsView, 'One API key')
  async get(@Param('id') id: string, @CurrentSession() session: Session): Promise<KeyDetailsView> {
    const key = await this.keys.get(id, session);
    return { ...key, guards: key.status === 'revoked' ? [] : await this.guards.ofKey(key.id) };
  }

  @Patch(':id')
  @Returns(KeyView, 'Change an API key, or disable and enable it; effective within a second')
  update(@Param('id') id: string, @Body() body: UpdateKeyDto, @CurrentSession() session: SignedIn): Promise<KeyView> {
    return this.keys.update(id, body, session);
  }

  @Post(':id/rotate')
  @Returns(CreatedKeyView, 'Give an API key a new secret; the previous one can stay valid for some time')
  rotate(
    @Param('id') id: string,
    @Body() { overlap }: RotateKeyDto,
    @CurrentSession() session: SignedIn,
  ): Promise<CreatedKeyView> {
    return this.keys.rotate(id, overlap, session);
  }

  @Post(':id/end-previous')
  @Returns(KeyView, 'End the previous secret of a rotated API key now; effective within a second')
  endPrevious(@Param('id') id: string, @CurrentSession() session: SignedIn): Promise<KeyView> {
    return this.keys.endPrevious(id, session);
  }

  @Delete(':id')
  @Returns(KeyView, 'Revoke an API key permanently; effective within a second')
  revoke(@Param('id') id: string, @CurrentSession() session: SignedIn): Promise<KeyView> {
    return this.keys.revoke(id, session);
  }

  @Get(':id/limits')
  @Access(['keys.read', 'own'])
  @Returns([InheritedLimitsView], 'The limits that apply to an API key besides its own, with their current use')
  inheritedLimits(@Param('id') id: string, @CurrentSession() session: Session): Promise<InheritedLimitsView[]> {
    return this.inherited.of(id, session);
  }

  @Get(':id/activity')
  @Access(['keys.read', 'own'])
  @Returns(KeyActivityView, 'Whether an API key is still in use')
  activity(@Param('id') id: string, @CurrentSession() session: Session): Promise<KeyActivityView> {
    return this.keys.activity(id, session);
  }
}
