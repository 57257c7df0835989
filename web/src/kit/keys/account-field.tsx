import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { projectQuery, serviceAccountsQuery } from '../../api/projects';
import { type ChosenOwner, toChosenProject } from './key-owner';

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
