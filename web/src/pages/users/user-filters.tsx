import { Select } from '../../kit/select';
import { useUrlValues } from '../../kit/use-url-state';
import { SOURCE_NAMES, STATUS_NAMES } from './user-status';
import classes from './users.module.css';

const ROLE_NAMES = { admin: 'Admin', member: 'Member' } as const;

const FILTERS = [
  { name: 'status', label: 'Status', all: 'Any status', names: STATUS_NAMES },
  { name: 'role', label: 'Role', all: 'Any role', names: ROLE_NAMES },
  { name: 'source', label: 'Source', all: 'Any source', names: SOURCE_NAMES },
] as const;

/** The filters of the list, as in the address. */
export function useUserFilters() {
  const [values, change] = useUrlValues();
  const { status, role, source } = values;
  const question = {
    ...(isOneOf(status, STATUS_NAMES) && { status: [status] }),
    ...(isOneOf(role, ROLE_NAMES) && { role }),
    ...(isOneOf(source, SOURCE_NAMES) && { source }),
  };
  return {
    values,
    change,
    /** In the gateway's format. */
    question,
    isFiltered: Object.keys(question).length > 0,
    clear: () => change({ status: undefined, role: undefined, source: undefined }),
  };
}

function isOneOf<Name extends string>(value: string | undefined, names: Record<Name, string>): value is Name {
  return value !== undefined && Object.hasOwn(names, value);
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
