import type { User } from '../user.types.js';

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
