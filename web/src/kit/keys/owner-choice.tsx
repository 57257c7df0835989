import { Input, SegmentedControl, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { managedProjectsQuery } from '../../api/projects';
import { useSession } from '../../api/session';
import { AccountField } from './account-field';
import { type ChosenOwner, toChosenProject, toChosenUser } from './key-owner';
import { UserField } from './user-field';

interface OwnerChoiceProps {
  value: ChosenOwner;
  onChange: (owner: ChosenOwner) => void;
}

/** The owner of a new key: a person, or a project that the person manages. */
export function OwnerChoice({ value, onChange }: OwnerChoiceProps) {
  const { user } = useSession();
  const isAdmin = user.role === 'admin';
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
            onChange={(kind) => (kind === 'user' ? onChange(toChosenUser(user.id)) : choose(first))}
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
            onChange={(wanted) => choose(projects.find((project) => project.id === wanted))}
            allowDeselect={false}
            searchable
          />
          <AccountField value={value} onChange={onChange} />
        </>
      )}
    </>
  );
}
