import { useState } from 'react';
import type { ProjectDetail } from '../../api/projects';
import { useSession } from '../../api/session';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { contentLogText } from '../../kit/content-log-text';
import { notifyDone } from '../../kit/notify';
import { PlanDialog } from '../../kit/plan-dialog';
import { LimitsDialog } from './limits-dialog';
import { NameDialog } from './name-dialog';
import { archiveProject, renameProject, switchContentLog } from './project-api';

export type ProjectDialog = 'limits' | 'rename' | 'plan' | 'content' | 'archive';

interface ProjectDialogsProps {
  project: ProjectDetail;
  dialog: ProjectDialog | null;
  onClose: () => void;
}

/** The dialogs of a project. The last dialog stays mounted while it fades out. */
export function ProjectDialogs({ project, dialog, onClose }: ProjectDialogsProps) {
  const [shown, setShown] = useState(dialog);
  if (dialog && dialog !== shown) setShown(dialog);
  const frame = { opened: dialog !== null, onClose };
  switch (shown) {
    case 'limits':
      return <LimitsDialog {...frame} project={project} />;
    case 'rename':
      return (
        <NameDialog
          {...frame}
          title={`Rename ${project.name}`}
          name={project.name}
          submitLabel="Save"
          onSubmit={(name) => renameProject(project.id, name)}
        />
      );
    case 'plan':
      return <PlanDialog {...frame} owner={{ id: project.userId, label: project.name, plan: project.plan }} />;
    case 'content':
      return <ContentDialog {...frame} project={project} />;
    case 'archive':
      return (
        <ConfirmDialog
          {...frame}
          title={`Archive ${project.name}?`}
          confirmLabel="Archive project"
          isDangerous
          onConfirm={async () => {
            await archiveProject(project.id);
            notifyDone(`${project.name} is archived`);
          }}
        >
          Its keys stop working permanently within a second. Its usage data is kept. This cannot be undone.
        </ConfirmDialog>
      );
    default:
      return null;
  }
}

/** Asks before the content log is switched on or off. */
function ContentDialog({ project, ...frame }: Omit<ProjectDialogsProps, 'dialog'> & { opened: boolean }) {
  const { contentLogDays } = useSession();
  const { id, name, logsContent } = project;
  return (
    <ConfirmDialog
      {...frame}
      title={logsContent ? 'Stop storing prompts and answers?' : 'Store prompts and answers?'}
      confirmLabel={logsContent ? 'Stop storing' : 'Store prompts and answers'}
      onConfirm={async () => {
        await switchContentLog(id, !logsContent);
        notifyDone(`The content log of ${name} is ${logsContent ? 'off' : 'on'}`);
      }}
    >
      {contentLogText({
        isOn: logsContent,
        whose: 'all keys of this project',
        readers: 'Managers of the project and administrators',
        days: contentLogDays ?? 0,
      })}
    </ConfirmDialog>
  );
}
