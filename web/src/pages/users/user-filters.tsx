import { Select } from '../../kit/select';
import { useUrlValues } from '../../kit/use-url-state';
import { SOURCE_NAMES, STATUS_NAMES } from './user-status';
import classes from './users.module.css';
import type { UserView } from './users-queries';

const FILTERS = [
  { name: 'status', label: 'Status', all: 'Any status', names: STATUS_NAMES },
  { name: 'role', label: 'Role', all: 'Any role', names: { admin: 'Admin', member: 'Member' } },
  { name: 'source', label: 'Source', all: 'Any source', names: SOURCE_NAMES },
] as const;

/** The filters of the list, as the address has them. */
export function useUserFilters(users: readonly UserView[] | undefined) {
  const [values, change] = useUrlValues();
  const rows = users?.filter((user) =>
    FILTERS.every(({ name, names }) => {
      const wanted = values[name];
      return wanted === undefined || !(wanted in names) || user[name] === wanted;
    }),
  );
  return { rows, values, change, clear: () => change({ status: undefined, role: undefined, source: undefined }) };
}

export function UserFilters({ values, change }: Pick<ReturnType<typeof useUserFilters>, 'values' | 'change'>) {
  return FILTERS.map(({ name, label, all, names }) => (
    <Select
      key={name}
      aria-label={label}
      className={classes.filter}
      data={[{ value: '', label: all }, ...Object.entries(names).map(([value, text]) => ({ value, label: text }))]}
      value={values[name] ?? ''}
      onChange={(value) => change({ [name]: value || undefined })}
      allowDeselect={false}
    />
  ));
}
