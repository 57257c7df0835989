import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import type { AuditTarget } from '../audit/audit.types.js';
import { NotFoundError, UsageError } from '../common/usage.error.js';
import { toName } from './passwords.js';
import type { User } from './user.types.js';

export const PROJECT_ROLES = ['manager', 'member'] as const;

/**
 * A manager can create keys and service accounts, add members and set limits; a member can only see them and the usage.
 */
export type ProjectRole = (typeof PROJECT_ROLES)[number];

export interface Project {
  readonly id: string;
  readonly name: string;
  /** The user that represents the project: owns its keys and has its plan. */
  readonly userId: string;
  /** Prompts and answers of its keys are stored. */
  readonly logsContent: boolean;
  readonly createdAt: Date;
  readonly archivedAt: Date | null;
}

export interface ProjectMember {
  readonly user: User;
  readonly role: ProjectRole;
  /** Members from groups in single sign-on are removed when they leave the group. */
  readonly source: 'local' | 'oidc';
}

@Entity('project_members')
export class ProjectMemberEntity {
  @PrimaryColumn('uuid', { name: 'project_id' })
  projectId!: string;

  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  role!: ProjectRole;

  @Column('text')
  source!: ProjectMember['source'];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** → `Project` */
export const PROJECTS = `
  SELECT p.id, p.name, u.id AS "userId", p.logs_content AS "logsContent", p.created_at AS "createdAt", p.archived_at AS "archivedAt"
  FROM projects AS p JOIN users AS u ON u.project_id = p.id AND u.kind = 'project'`;

/** Throws a `NotFoundError` if it does not exist, and a `UsageError` if it is archived. */
export async function lockProject(manager: EntityManager, id: string): Promise<Project> {
  if (!UUID.test(id)) throw noSuchProject();
  const [project]: Project[] = await manager.query(`${PROJECTS} WHERE p.id = $1 FOR UPDATE OF p`, [id]);
  if (!project) throw noSuchProject();
  if (project.archivedAt) throw new UsageError(`The project ${project.name} is archived and cannot be changed.`);
  return project;
}

export function isProjectId(id: string): boolean {
  return UUID.test(id);
}

export function noSuchProject(): NotFoundError {
  return new NotFoundError('The project does not exist.');
}

export function toProjectName(text: string): string {
  const name = toName(text);
  if (name === '') throw new UsageError('A project needs a name.', 'name');
  return name;
}

export function targetOf({ id, name }: Pick<Project, 'id' | 'name'>): AuditTarget {
  return { kind: 'project', id, name };
}
