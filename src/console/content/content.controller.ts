import { Body, Get, Param, Put } from '@nestjs/common';
import { ApiConflictResponse, ApiForbiddenResponse, ApiNotFoundResponse } from '@nestjs/swagger';
import { ConsoleController, Returns, ReturnsNothing } from '../session/console-controller.js';
import { CurrentSession, type SignedIn } from '../session/current-session.js';
import { ConsoleContentService } from './console-content.service.js';
import { CallContentView, ContentLogDto } from './dto/content.dto.js';

@ConsoleController('', 'Content log', 'member')
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
