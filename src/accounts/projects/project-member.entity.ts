import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProjectMember, ProjectRole } from './project.types.js';

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
