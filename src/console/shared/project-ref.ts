import type { Project } from '../../accounts/projects/project.types.js';
import type { ProjectRefView } from '../dto/project-ref.view.js';

export function toProjectRef(project: Project | undefined): ProjectRefView | null {
  return project ? { id: project.id, name: project.name } : null;
}
