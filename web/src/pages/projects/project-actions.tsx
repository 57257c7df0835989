import Ellipsis from 'icon:ellipsis';
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ProjectDetail } from '../../api/projects';
import { useSession } from '../../api/session';
import { DropMenu } from '../../kit/drop-menu';
import { onDemand } from '../../kit/on-demand';
import type { ProjectDialog } from './project-dialogs';

const ProjectDialogs = onDemand(
  () => import('./project-dialogs').then((module) => module.ProjectDialogs),
  ({ dialog }) => dialog !== null,
  { dialog: null },
);

/** What managers and administrators can do with a project; an archived one cannot be changed. */
export function ProjectActions({ project }: { project: ProjectDetail }) {
  const { user, contentLogDays } = useSession();
  const [dialog, setDialog] = useState<ProjectDialog | null>(null);
  const isAdmin = user.role === 'admin';
  if (!project.canManage || project.archivedAt !== null) return null;
  return (
    <>
      <Button variant="default" onClick={() => setDialog('limits')}>
        Limits
      </Button>
      <DropMenu
        position="bottom-end"
        width={230}
        target={
          <Button variant="default" leftSection={<Ellipsis size={16} aria-hidden="true" />}>
            More
          </Button>
        }
      >
        {(Menu) => (
          <>
            <Menu.Item onClick={() => setDialog('rename')}>Rename</Menu.Item>
            {isAdmin && <Menu.Item onClick={() => setDialog('plan')}>Change plan</Menu.Item>}
            {(project.logsContent || contentLogDays !== null) && (
              <Menu.Item onClick={() => setDialog('content')}>
                {project.logsContent ? 'Stop storing content' : 'Store prompts and answers'}
              </Menu.Item>
            )}
            {isAdmin && (
              <Menu.Item color="red" onClick={() => setDialog('archive')}>
                Archive
              </Menu.Item>
            )}
          </>
        )}
      </DropMenu>
      <ProjectDialogs project={project} dialog={dialog} onClose={() => setDialog(null)} />
    </>
  );
}
