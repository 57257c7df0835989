import FileUp from 'icon:file-up';
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { plansQuery } from '../../api/lists';
import { CopyTextButton } from '../../kit/copy-button';
import tableClasses from '../../kit/data-table.module.css';
import { type Column, DataTableHead, DataTableRow } from '../../kit/data-table-rows';
import { DialogEnd, DialogHost } from '../../kit/dialog';
import { RelativeTime } from '../../kit/figures';
import { notifyDone } from '../../kit/notify';
import { plural } from '../../kit/numbers';
import { QueryStates } from '../../kit/states';
import { StatusBadge } from '../../kit/status-badge';
import { Table } from '../../kit/table';
import { useSubmit } from '../../kit/use-submit';
import { userLabel } from '../../kit/words';
import { MAX_PEOPLE, type PersonRow, readPeople } from './people-text';
import { type CreatedUserView, faultsOf, inviteAll } from './user-actions';
import classes from './users.module.css';

type Plans = Parameters<typeof readPeople>[1];

const EXAMPLE = 'ada@example.com, Ada Lovelace, admin, pro\ngrace@example.com, Grace Hopper';

interface TextStepProps {
  text: string;
  plans: Plans;
  onChange: (text: string) => void;
  onChecked: (rows: PersonRow[]) => void;
  onCancel: () => void;
}

/** The list as text, or from a file. */
function TextStep({ text, plans, onChange, onChecked, onCancel }: TextStepProps) {
  const { onSubmit, isBusy, fault } = useSubmit(async () => onChecked(await checked(readPeople(text, plans))));
  const file = useRef<HTMLInputElement>(null);
  const load = async (input: HTMLInputElement) => {
    const [chosen] = input.files ?? [];
    if (chosen) onChange(await chosen.text());
    // The same file can be chosen again.
    input.value = '';
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        <Textarea
          label="People"
          description="One per line: e-mail address, name, role and plan. Only the address is required. A first line with headings allows another order."
          placeholder={EXAMPLE}
          autosize
          minRows={8}
          maxRows={16}
          spellCheck={false}
          data-autofocus
          classNames={{ input: classes.list }}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <Group gap="xs">
          <input
            ref={file}
            type="file"
            hidden
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            onChange={({ currentTarget }) => void load(currentTarget)}
          />
          <Button
            variant="default"
            leftSection={<FileUp size={15} aria-hidden="true" />}
            onClick={() => file.current?.click()}
          >
            Choose a CSV file
          </Button>
        </Group>
        <DialogEnd fault={fault} onCancel={onCancel}>
          <Button type="submit" loading={isBusy}>
            Preview
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

/** The rows with the faults that the gateway knows of. Throws if there are none, or too many. */
async function checked(rows: PersonRow[]): Promise<PersonRow[]> {
  if (rows.length === 0) throw new Error('Enter at least one e-mail address.');
  if (rows.length > MAX_PEOPLE) {
    throw new Error(`${rows.length} people are too many at once: add up to ${MAX_PEOPLE}, then the others.`);
  }
  const open = rows.filter(({ fault }) => fault === null);
  if (open.length === 0) return rows;
  const faults = new Map<PersonRow, string>();
  for (const { param, message } of await faultsOf(open.map(({ person }) => person))) {
    const row = open[Number(/\d+/.exec(param)?.[0])];
    if (row) faults.set(row, message);
  }
  return rows.map((row) => ({ ...row, fault: row.fault ?? faults.get(row) ?? null }));
}

interface PreviewStepProps {
  rows: PersonRow[];
  plans: Plans;
  onChange: (rows: PersonRow[]) => void;
  onBack: () => void;
  onCreated: (created: CreatedUserView[]) => void;
}

/** What each line means, and what is wrong with it; then all are created, or none. */
function PreviewStep({ rows, plans, onChange, onBack, onCreated }: PreviewStepProps) {
  const faulty = rows.filter(({ fault }) => fault !== null).length;
  const good = rows.length - faulty;
  const columns = useMemo(() => previewColumns(plans), [plans]);
  const create = useSubmit(async () => {
    const people = rows.map(({ person }) => person);
    try {
      onCreated(await inviteAll(people));
    } catch (error) {
      // Since the preview somebody may have added one of them.
      const since = await checked(rows);
      if (since.every(({ fault }) => fault === null)) throw error;
      onChange(since);
    }
  });
  return (
    <Stack gap="md">
      <Text size="sm" role="status">
        {faulty === 0
          ? `${plural(good, 'person', 'people')} will be added.`
          : `${plural(faulty, 'line has', 'lines have')} a problem. Nobody is added until every line is correct.`}
      </Text>
      <Rows label="Preview" columns={columns} rows={rows} rowLabel={({ line, email }) => `line ${line} ${email}`} />
      <DialogEnd fault={create.fault} onCancel={onBack} cancelLabel="Back to the text">
        {faulty > 0 && good > 0 && (
          <Button variant="default" onClick={() => onChange(rows.filter(({ fault }) => fault === null))}>
            Leave out {plural(faulty, 'line')}
          </Button>
        )}
        <Button disabled={faulty > 0} loading={create.isBusy} onClick={create.submit}>
          Add {plural(rows.length, 'person', 'people')}
        </Button>
      </DialogEnd>
    </Stack>
  );
}

function previewColumns(plans: Plans): Column<PersonRow>[] {
  const usual = plans.find(({ isDefault }) => isDefault)?.name ?? '';
  return [
    { key: 'line', header: 'Line', cell: ({ line }) => line },
    { key: 'email', header: 'E-mail', onCard: 'title', cell: ({ email }) => email || '–' },
    { key: 'name', header: 'Name', cell: ({ name }) => name || '–' },
    {
      key: 'role',
      header: 'Role',
      cell: ({ role, person, fault }) => (fault && role) || (person.role === 'admin' ? 'Admin' : 'Member'),
    },
    { key: 'plan', header: 'Plan', cell: ({ plan }) => plan || usual },
    {
      key: 'state',
      header: 'State',
      cell: ({ fault }) =>
        fault === null ? <StatusBadge tone="good">Ready</StatusBadge> : <span className={classes.fault}>{fault}</span>,
    },
  ];
}

const linkColumns: Column<{ label: string; url: string }>[] = [
  { key: 'email', header: 'E-mail', onCard: 'title', cell: ({ label }) => label },
  { key: 'link', header: 'Link', cell: ({ url }) => <code>{url}</code> },
];

interface LinksStepProps {
  created: readonly CreatedUserView[];
  onDone: () => void;
}

/** The links of all new people, which are shown only here. */
function LinksStep({ created, onDone }: LinksStepProps) {
  const [isCopied, setCopied] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const links = created.flatMap(({ user, link }) => (link ? [{ label: userLabel(user), ...link }] : []));
  const text = links.map(({ label, url }) => `${label}\t${url}`).join('\n');
  return (
    <Stack gap="md">
      <Text size="sm">
        Give each person their link, to choose a password with. A link works once and expires{' '}
        <RelativeTime value={links[0]?.expiresAt} />. You will not see these links again; you can create new ones at any
        time.
      </Text>
      <Rows label="Password links" columns={linkColumns} rows={links} rowLabel={({ label }) => label} />
      {isWarned && !isCopied && (
        <Text size="sm" role="alert" c="var(--console-warn)">
          The links have not been copied. Close anyway?
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => (isCopied || isWarned ? onDone() : setWarned(true))}>
          {isWarned && !isCopied ? 'Close without copying' : 'Done'}
        </Button>
        <CopyTextButton value={text} autoFocus label="Copy all" onCopied={() => setCopied(true)} />
      </Group>
    </Stack>
  );
}

interface RowsProps<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowLabel: (row: T) => string;
}

/** A table that scrolls in its dialog; on a small screen, cards. */
function Rows<T>({ label, columns, rows, rowLabel }: RowsProps<T>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: by keyboard one could not scroll it otherwise.
    <section className={`${tableClasses.frame} ${classes.rows}`} aria-label={`${label}, scrollable`} tabIndex={0}>
      <Table role="table" aria-label={label} className={tableClasses.table} verticalSpacing={6}>
        <DataTableHead columns={columns} sort={null} onSort={() => undefined} hasMenu={false} />
        <Table.Tbody role="rowgroup">
          {rows.map((row) => (
            <DataTableRow key={rowLabel(row)} row={row} label={rowLabel(row)} columns={columns} isSelected={false} />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

type Step = { kind: 'text' } | { kind: 'preview'; rows: PersonRow[] } | { kind: 'links'; created: CreatedUserView[] };

interface AddPeopleDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Many people from a text or a file: a preview of each line, then all are created, or none. */
export function AddPeopleDialog({ opened, onClose }: AddPeopleDialogProps) {
  const [text, setText] = useState('');
  const [step, setStep] = useState<Step>({ kind: 'text' });
  const plans = useQuery({ ...plansQuery, enabled: opened });
  const close = () => {
    onClose();
    setText('');
    setStep({ kind: 'text' });
  };
  const showLinks = (created: CreatedUserView[]) => {
    notifyDone(`${plural(created.length, 'person was', 'people were')} added`);
    if (created.some(({ link }) => link)) setStep({ kind: 'links', created });
    else close();
  };
  const contentOf = (all: Plans) => {
    switch (step.kind) {
      case 'text': {
        const onChecked = (rows: PersonRow[]) => setStep({ kind: 'preview', rows });
        return <TextStep text={text} plans={all} onChange={setText} onChecked={onChecked} onCancel={close} />;
      }
      case 'preview':
        return (
          <PreviewStep
            rows={step.rows}
            plans={all}
            onChange={(rows) => setStep({ kind: 'preview', rows })}
            onBack={() => setStep({ kind: 'text' })}
            onCreated={showLinks}
          />
        );
      case 'links':
        return <LinksStep created={step.created} onDone={close} />;
    }
  };
  const hasLinks = step.kind === 'links';
  return (
    <DialogHost dialog={opened || null} onClose={close}>
      {() => ({
        title: hasLinks ? 'Share these links' : 'Add several people',
        size: 'xl',
        closeOnClickOutside: false,
        closeOnEscape: !hasLinks,
        withCloseButton: !hasLinks,
        isSecret: hasLinks,
        content: <QueryStates query={plans}>{({ plans: all }) => contentOf(all)}</QueryStates>,
      })}
    </DialogHost>
  );
}
