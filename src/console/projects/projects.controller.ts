import { Body, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import type { Session } from '../../accounts/user.types.js';
import { ConsoleController, Returns } from '../session/console.guard.js';
import { CurrentSession, type SignedIn } from '../session/current-session.js';
import { Access } from '../session/route-access.js';
import { LimitsDto } from '../shared/fields.js';
import { ConsoleProjectsService } from './console-projects.service.js';
import {
  CreateProjectDto,
  NewProjectMemberDto,
  ProjectDetailView,
  ProjectLimitsView,
  ProjectMemberDto,
  ProjectMemberView,
  ProjectNameDto,
  ProjectPageView,
  ProjectsQuery,
} from './project.view.js';

@ConsoleController('projects', 'Projects', ['projects.write', 'project'])
export class ProjectsController {
  constructor(private readonly projects: ConsoleProjectsService) {}

  @Get()
  @Access(['projects.read', 'own'])
  @Returns(ProjectPageView, 'Your projects; for admins also all of them')
  list(@Query() query: ProjectsQuery, @CurrentSession() session: Session): Promise<ProjectPageView> {
    return this.projects.list(query, session);
  }

  @Post()
  @Access(['projects.write', 'all'])
  @Returns(ProjectDetailView, 'Create a project', { status: 201 })
  create(@Body() { name }: ProjectNameDto, @CurrentSession() session: SignedIn): Promise<ProjectDetailView> {
    return this.projects.create({ name }, session);
  }

  @Post('complete')
  @Access(['projects.write', 'all'])
  @Returns(ProjectDetailView, 'Create a project with its plan, managers and limits: all of it or nothing', {
    status: 201,
  })
  createComplete(@Body() body: CreateProjectDto, @CurrentSession() session: SignedIn): Promise<ProjectDetailView> {
    return this.projects.create(body, session);
  }

  @Get(':id')
  @Access(['projects.read', 'project'])
  @Returns(ProjectDetailView, 'A project with its members, limits and budgets')
  get(@Param('id') id: string, @CurrentSession() session: Session): Promise<ProjectDetailView> {
    return this.projects.get(id, session);
  }

  @Delete(':id')
  @Access(['projects.write', 'all'])
  @Returns(ProjectDetailView, 'Archive a project, as `POST` to `/archive` does')
  remove(@Param('id') id: string, @CurrentSession() session: SignedIn): Promise<ProjectDetailView> {
    return this.projects.archive(id, session);
  }

  @Patch(':id')
  @Returns(ProjectDetailView, 'Rename a project')
  rename(
    @Param('id') id: string,
    @Body() { name }: ProjectNameDto,
    @CurrentSession() session: SignedIn,
  ): Promise<ProjectDetailView> {
    return this.projects.rename(id, name, session);
  }

  @Post(':id/archive')
  @Access(['projects.write', 'all'])
  @Returns(ProjectDetailView, 'Archive a project permanently: its keys stop working within a second')
  archive(@Param('id') id: string, @CurrentSession() session: SignedIn): Promise<ProjectDetailView> {
    return this.projects.archive(id, session);
  }

  @Post(':id/members')
  @Returns([ProjectMemberView], 'Add a member by e-mail address, or change the role')
  addMember(
    @Param('id') id: string,
    @Body() { email, role }: NewProjectMemberDto,
    @CurrentSession() session: SignedIn,
  ): Promise<ProjectMemberView[]> {
    return this.projects.addMember(id, { email, role }, session);
  }

  @Get(':id/members/:userId')
  @Access(['projects.read', 'project'])
  @Returns(ProjectMemberView, 'One member of a project')
  member(
    @Param('id') id: string,
    @Param('userId') userId: string,
    @CurrentSession() session: Session,
  ): Promise<ProjectMemberView> {
    return this.projects.member(id, userId, session);
  }

  @Put(':id/members/:userId')
  @Returns([ProjectMemberView], 'Add a member, or change the role')
  setMember(
    @Param('id') id: string,
    @Param('userId') userId: string,
    @Body() { role }: ProjectMemberDto,
    @CurrentSession() session: SignedIn,
  ): Promise<ProjectMemberView[]> {
    return this.projects.setMember(id, userId, role, session);
  }

  @Delete(':id/members/:userId')
  @Returns([ProjectMemberView], 'Remove a member')
  removeMember(
    @Param('id') id: string,
    @Param('userId') userId: string,
    @CurrentSession() session: SignedIn,
  ): Promise<ProjectMemberView[]> {
    return this.projects.setMember(id, userId, null, session);
  }

  @Get(':id/limits')
  @Access(['projects.read', 'project'])
  @Returns(ProjectLimitsView, 'The limits and budgets of a project, with their use')
  async limits(@Param('id') id: string, @CurrentSession() session: Session): Promise<ProjectLimitsView> {
    return (await this.projects.get(id, session)).limits;
  }

  @Put(':id/limits')
  @Access(['limits.write', 'project'])
  @Returns(ProjectLimitsView, 'Set limits and budgets of a project; effective within a second', {
    description: 'Managers cannot exceed what administrators set.',
  })
  setLimits(
    @Param('id') id: string,
    @Body() inputs: LimitsDto,
    @CurrentSession() session: SignedIn,
  ): Promise<ProjectLimitsView> {
    return this.projects.setLimits(id, inputs, session);
  }
}
