import { Input, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { managedProjectsQuery, projectQuery, serviceAccountsQuery } from '../api/projects';
import { mayAll, useSession } from '../api/session';
import { SegmentedControl } from '../kit/segmented-control';
import { useUserSearch } from '../kit/use-user-search';
import { userLabel } from '../kit/words';
import type { KeyInput } from './keys-api';

/** The owner of a key. */
export interface KeyOwner {
  userId: string;
  /** Of the owner; null: the owner belongs to no project. */
  projectId: string | null;
}

/** The owner of a new key. */
export interface ChosenOwner extends KeyOwner {
  /** Null: the project itself, or a person. */
  serviceAccountId: string | null;
}

/** The project of a dialog for its keys. */
export interface KeyProject {
  id: string;
  userId: string;
}

export function ownerOf({ owner, project }: { owner: { id: string }; project: { id: string } | null }): KeyOwner {
  return { userId: owner.id, projectId: project?.id ?? null };
}

export function toChosenUser(userId: string): ChosenOwner {
  return { userId, projectId: null, serviceAccountId: null };
}

export function toChosenProject({ id, userId }: KeyProject): ChosenOwner {
  return { userId, projectId: id, serviceAccountId: null };
}

/** The owner in the format of the API. */
export function toOwnerInput(
  { userId, projectId, serviceAccountId }: ChosenOwner,
  myId: string,
): Pick<KeyInput, 'userId' | 'projectId' | 'serviceAccountId'> {
  if (projectId === null) return userId === myId ? {} : { userId };
  return { projectId, ...(serviceAccountId !== null && { serviceAccountId }) };
}

const PROJECT = 'project';

interface AccountFieldProps {
  /** Its project is set. */
  value: ChosenOwner;
  onChange: (owner: ChosenOwner) => void;
}

/** Who uses a project's key: the project itself, or one of its service accounts. Hidden if there are none. */
export function AccountField({ value, onChange }: AccountFieldProps) {
  const projectId = value.projectId ?? '';
  const { data: accounts = [] } = useQuery(serviceAccountsQuery(projectId));
  const { data: project } = useQuery(projectQuery(projectId));
  const enabled = accounts.filter(({ disabled }) => !disabled);
  if (enabled.length === 0 || !project) return null;
  const choose = (id: string) =>
    onChange(id === PROJECT ? toChosenProject(project) : { userId: id, projectId, serviceAccountId: id });
  return (
    <Select
      label="Used by"
      description="Usage is shown for each service account on its own."
      data={[
        { value: PROJECT, label: 'The project itself' },
        ...enabled.map(({ id, name }) => ({ value: id, label: `${name} (service account)` })),
      ]}
      value={value.serviceAccountId ?? PROJECT}
      onChange={(id) => id && choose(id)}
      allowDeselect={false}
    />
  );
}

interface UserFieldProps {
  label: string;
  value: string;
  onChange: (userId: string) => void;
}

/** Admins create keys for others, too: a service account cannot do it itself. */
function UserField({ label, value, onChange }: UserFieldProps) {
  const { user: me } = useSession();
  const users = useUserSearch(
    (user) => (user.kind === 'service' ? `${userLabel(user)} (service account)` : userLabel(user)),
    {
      value: me.id,
      label: `${me.email} (you)`,
    },
  );
  return (
    <Select
      label={label}
      {...users}
      value={value}
      onChange={(userId) => userId && onChange(userId)}
      allowDeselect={false}
      searchable
      onClick={(event) => event.currentTarget.select()}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={(event) => {
        // A search without a match must not create a key for the previous owner.
        if (event.key === 'Enter' && event.currentTarget.getAttribute('aria-expanded') === 'true')
          event.preventDefault();
      }}
    />
  );
}

interface OwnerChoiceProps {
  value: ChosenOwner;
  onChange: (owner: ChosenOwner) => void;
}

/** The owner of a new key: a person, or a project that the person manages. */
export function OwnerChoice({ value, onChange }: OwnerChoiceProps) {
  const session = useSession();
  const isAdmin = mayAll(session, 'keys.write');
  const { data: projects = [] } = useQuery(managedProjectsQuery(isAdmin ? 'all' : 'mine'));
  const id = useId();
  const [first] = projects;
  const { projectId } = value;
  const choose = (project: (typeof projects)[number] | undefined) => project && onChange(toChosenProject(project));
  return (
    <>
      {first && (
        <Stack gap={6}>
          <Input.Label id={id}>For</Input.Label>
          <SegmentedControl
            aria-labelledby={id}
            value={projectId === null ? 'user' : 'project'}
            onChange={(kind) => (kind === 'user' ? onChange(toChosenUser(session.user.id)) : choose(first))}
            data={[
              { value: 'user', label: isAdmin ? 'A user' : 'Me' },
              { value: 'project', label: 'A project' },
            ]}
          />
        </Stack>
      )}
      {projectId === null && isAdmin && (
        <UserField
          label={first ? 'User' : 'For'}
          value={value.userId}
          onChange={(userId) => onChange(toChosenUser(userId))}
        />
      )}
      {projectId !== null && (
        <>
          <Select
            label="Project"
            data={projects.map((project) => ({ value: project.id, label: project.name }))}
            value={projectId}
            onChange={(required) => choose(projects.find((project) => project.id === required))}
            allowDeselect={false}
            searchable
          />
          <AccountField value={value} onChange={onChange} />
        </>
      )}
    </>
  );
}
