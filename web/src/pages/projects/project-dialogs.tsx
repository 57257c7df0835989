import { Autocomplete, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { messageOf } from '../../api/api-error';
import { foundUsersQuery } from '../../api/lists';
import type { ProjectDetail, ProjectRole } from '../../api/projects';
import { mayAll, useSession } from '../../api/session';
import { CacheForm } from '../../kit/cache-form';
import { contentLogText, DialogEnd, DialogHost, Question } from '../../kit/dialog';
import { guardsDialog } from '../../kit/guards-form';
import { LimitFields } from '../../kit/limit-fields';
import {
  LIMIT_NAMES,
  type LimitName,
  limitOfError,
  limitText,
  toLimitInput,
  toLimitTexts,
  validateLimits,
} from '../../kit/limits';
import { notifyDone } from '../../kit/notify';
import { planDialog } from '../../kit/plan-dialog';
import { SegmentedControl } from '../../kit/segmented-control';
import { useSubmit } from '../../kit/use-submit';
import { addMember, archiveProject, renameProject, setLimits, switchContentLog } from './project-columns';

/** The limits and budgets of all keys of a project together. */
function LimitsForm({ project, onClose }: { project: ProjectDetail; onClose: () => void }) {
  const isAdmin = mayAll(useSession(), 'limits.write');
  const { values, bounds } = project.limits;
  const [before] = useState(() => toLimitTexts(values));
  const form = useForm({ initialValues: before, validate: validateLimits });
  const { submit, isBusy, fault } = useSubmit(
    async () => {
      await setLimits(project.id, toLimitInput(form.values, before));
      notifyDone(`The limits of ${project.name} are saved`);
      onClose();
    },
    (error) => {
      const name = limitOfError(error);
      if (!name) return messageOf(error);
      form.setFieldError(name, messageOf(error));
      return null;
    },
  );
  const boundOf = (name: LimitName) => {
    const bound = bounds[name];
    return bound === null || isAdmin ? undefined : `At most ${limitText(name, bound)}`;
  };
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          For all keys of the project together; days and months are in UTC. An empty field means no limit.{' '}
          {isAdmin
            ? 'The values that you set here are the maximum for its managers.'
            : 'You can set less than administrators have set, but not more.'}
        </Text>
        <LimitFields
          names={LIMIT_NAMES}
          inputProps={(name) => ({ ...form.getInputProps(name), description: boundOf(name) })}
        />
        <DialogEnd fault={fault} onCancel={onClose}>
          <Button type="submit" loading={isBusy} disabled={!form.isDirty()}>
            Save
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

interface NameDialogProps {
  opened: boolean;
  title: string;
  description?: string;
  /** The present name. */
  name?: string;
  submitLabel: string;
  onSubmit: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for the name of a project or a service account. */
export function NameDialog({ opened, title, onClose, ...form }: NameDialogProps) {
  return (
    <DialogHost dialog={opened || null} onClose={onClose}>
      {() => ({ title, content: <NameForm {...form} onClose={onClose} /> })}
    </DialogHost>
  );
}

type NameFormProps = Omit<NameDialogProps, 'opened' | 'title'>;

function NameForm({ description, name: present = '', submitLabel, onSubmit, onClose }: NameFormProps) {
  const [name, setName] = useState(present);
  const save = useSubmit(async () => {
    if (name.trim() === '') throw new Error('Enter a name');
    await onSubmit(name.trim());
    onClose();
  });
  return (
    <form onSubmit={save.onSubmit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          description={description}
          value={name}
          maxLength={100}
          required
          autoComplete="off"
          data-autofocus
          error={save.fault}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <DialogEnd fault={null} onCancel={onClose}>
          <Button type="submit" loading={save.isBusy}>
            {submitLabel}
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

const TYPING_MS = 200;
const OFFERED = 20;

interface AddMemberDialogProps {
  projectId: string;
  opened: boolean;
  onClose: () => void;
}

export function AddMemberDialog({ opened, onClose, projectId }: AddMemberDialogProps) {
  return (
    <DialogHost dialog={opened || null} onClose={onClose}>
      {() => ({ title: 'Add a member', content: <MemberForm projectId={projectId} onClose={onClose} /> })}
    </DialogHost>
  );
}

function MemberForm({ projectId, onClose }: Omit<AddMemberDialogProps, 'opened'>) {
  const isAdmin = mayAll(useSession(), 'users.read');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<ProjectRole>('member');
  const id = useId();
  const { onSubmit, isBusy, fault } = useSubmit(async () => {
    if (email.trim() === '') throw new Error('Enter an e-mail address');
    await addMember(projectId, email.trim(), role);
    notifyDone(`${email.trim()} is now a ${role} of the project`);
    onClose();
  });
  const field = { label: 'E-mail address', value: email, required: true, error: fault, 'data-autofocus': true };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        {isAdmin ? (
          <PersonSearch {...field} onChange={setEmail} />
        ) : (
          <TextInput
            {...field}
            description="The person must have an account already."
            type="email"
            autoComplete="off"
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        )}
        <Stack gap={6}>
          <Text size="sm" fw={500} id={id}>
            Role
          </Text>
          <SegmentedControl<ProjectRole>
            aria-labelledby={id}
            value={role}
            onChange={setRole}
            data={[
              { value: 'member', label: 'Member' },
              { value: 'manager', label: 'Manager' },
            ]}
          />
          <Text size="xs" c="dimmed">
            Managers make keys, add people and set limits; members see all of it.
          </Text>
        </Stack>
        <DialogEnd fault={null} onCancel={onClose}>
          <Button type="submit" loading={isBusy}>
            Add member
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

interface PersonSearchProps {
  label: string;
  value: string;
  required: boolean;
  error: string | null;
  onChange: (email: string) => void;
}

/**
 * The gateway searches by name and address; only administrators can see all users. Enter only chooses a person, as the
 * role is yet to be chosen.
 */
function PersonSearch({ value, ...props }: PersonSearchProps) {
  const [q] = useDebouncedValue(value.trim(), TYPING_MS);
  const { data = [] } = useQuery(foundUsersQuery({ q, status: ['active', 'invited'], limit: OFFERED }));
  // Nobody can choose from the results of an earlier text.
  const isCurrent = q === value.trim();
  const emails = data.flatMap(({ kind, email }) => (kind === 'person' && email ? [email] : []));
  return (
    <Autocomplete
      {...props}
      description="Search by name or address."
      value={value}
      data={isCurrent ? [...new Set(emails)] : []}
      filter={({ options }) => options}
      autoComplete="off"
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault();
      }}
    />
  );
}

export type ProjectDialog = 'limits' | 'rename' | 'plan' | 'content' | 'cache' | 'guards' | 'archive';

interface ProjectDialogsProps {
  project: ProjectDetail;
  dialog: ProjectDialog | null;
  onClose: () => void;
}

/** The dialogs of a project. */
export function ProjectDialogs({ project, dialog, onClose }: ProjectDialogsProps) {
  const { id, name, userId, plan, logsContent } = project;
  const { contentLogDays } = useSession();
  const archive = async () => {
    await archiveProject(id);
    notifyDone(`${name} is archived`);
  };
  const switchLog = async () => {
    await switchContentLog(id, !logsContent);
    notifyDone(`The content log of ${name} is ${logsContent ? 'off' : 'on'}`);
  };
  const rename = (chosen: string) => renameProject(id, chosen);
  return (
    <DialogHost dialog={dialog} onClose={onClose}>
      {(kind) => {
        switch (kind) {
          case 'limits':
            return {
              title: `Limits of ${name}`,
              size: 'lg',
              content: <LimitsForm project={project} onClose={onClose} />,
            };
          case 'rename':
            return {
              title: `Rename ${name}`,
              content: <NameForm name={name} submitLabel="Save" onSubmit={rename} onClose={onClose} />,
            };
          case 'plan':
            return planDialog({ owner: { id: userId, label: name, plan }, onClose });
          case 'cache':
            return {
              title: `Cache of ${name}`,
              content: <CacheForm kind="projects" id={id} name={name} onClose={onClose} />,
            };
          case 'guards':
            return guardsDialog({ kind: 'project', id, name, onClose });
          case 'content':
            return {
              title: logsContent ? 'Stop storing prompts and answers?' : 'Store prompts and answers?',
              content: (
                <Question
                  confirmLabel={logsContent ? 'Stop storing' : 'Store prompts and answers'}
                  onConfirm={switchLog}
                  onClose={onClose}
                >
                  {contentLogText({
                    isOn: logsContent,
                    whose: 'all keys of this project',
                    readers: 'Managers of the project and administrators',
                    days: contentLogDays ?? 0,
                  })}
                </Question>
              ),
            };
          case 'archive':
            return {
              title: `Archive ${name}?`,
              content: (
                <Question confirmLabel="Archive project" isDangerous onConfirm={archive} onClose={onClose}>
                  Its keys stop working permanently within a second. Its usage data is kept. This cannot be undone.
                </Question>
              ),
            };
        }
      }}
    </DialogHost>
  );
}
