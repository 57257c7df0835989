import Bot from 'icon:bot';
import Download from 'icon:download';
import FileJson from 'icon:file-json';
import FileSpreadsheet from 'icon:file-spreadsheet';
import ScrollText from 'icon:scroll-text';
import SquareTerminal from 'icon:square-terminal';
import UserRound from 'icon:user-round';
import UserRoundX from 'icon:user-round-x';
import { Badge, Button, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Column } from '../../kit/data-table-rows';
import { RelativeTime } from '../../kit/figures';
import { useDownload } from '../../kit/notify';
import { DropMenu, onDemand } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import { PagedTable } from '../../kit/paged-table';
import { SearchField } from '../../kit/search-field';
import { Select } from '../../kit/select';
import { EmptyState } from '../../kit/states';
import { useIdCheck, useUrlDrawer } from '../../kit/url-state';
import classes from './audit.module.css';
import { type AuditEntry, type AuditFilter, actionsQuery, auditQuery, exportAddress } from './audit-api';
import { actionChoices, entryText, TARGET_KINDS } from './audit-words';
import { type AuditControls, useAuditSearch } from './use-audit-search';

const ACTOR_ICONS = { user: UserRound, command_line: SquareTerminal, gateway: Bot, nobody: UserRoundX };

/** `onOpen` shows the whole entry: with the button of its row, or a click anywhere on it. */
function auditColumns(onOpen: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  return [
    {
      key: 'action',
      header: 'Action',
      onCard: 'title',
      cell: (entry) => (
        <button type="button" className={classes.open} onClick={() => onOpen(entry)}>
          {entryText(entry)}
        </button>
      ),
    },
    { key: 'target', header: 'Target', cell: ({ target }) => <Target target={target} /> },
    { key: 'actor', header: 'Who', cell: ({ actor }) => <Who actor={actor} /> },
    { key: 'address', header: 'From', narrow: 'hide', cell: ({ address }) => address ?? '–' },
    { key: 'at', header: 'When', cell: ({ at }) => <RelativeTime value={at} /> },
  ];
}

function Target({ target: { kind, name, id } }: Pick<AuditEntry, 'target'>) {
  return (
    <div className={classes.cell}>
      <Badge color="gray" className={classes.kind}>
        {TARGET_KINDS[kind]}
      </Badge>
      <Text size="sm" truncate>
        {name || id || ''}
      </Text>
    </div>
  );
}

function Who({ actor: { kind, name } }: Pick<AuditEntry, 'actor'>) {
  const Icon = ACTOR_ICONS[kind];
  return (
    <div className={classes.cell}>
      <Icon size={15} aria-hidden="true" className={classes.icon} />
      <Text size="sm" truncate>
        {name}
      </Text>
    </div>
  );
}

const TYPING_MS = 300;
const KINDS = Object.entries(TARGET_KINDS).map(([value, label]) => ({ value, label }));

/** The filters of the list, all stored in the address. */
function AuditFilters({ values, change, isNarrowed, clear }: AuditControls) {
  const actions = useQuery(actionsQuery);
  const { action = null, target, actor, from = '', to = '' } = values;
  return (
    <Group gap="xs" mb="sm" align="flex-end">
      <TypedSearch value={values.q ?? ''} onChange={(q) => change({ q: q || undefined })} />
      <Select
        className={classes.filter}
        aria-label="Action"
        placeholder="Any action"
        comboboxProps={{ width: 240, position: 'bottom-start' }}
        data={withValue(actionChoices(actions.data ?? []), action)}
        value={action}
        onChange={(value) => change({ action: value ?? undefined })}
        searchable
        clearable
      />
      <Select
        className={classes.filter}
        aria-label="Target"
        placeholder="Any target"
        data={target?.includes(':') ? [...KINDS, { value: target, label: 'One target' }] : KINDS}
        value={target ?? null}
        onChange={(value) => change({ target: value ?? undefined })}
        clearable
      />
      <TextInput
        className={classes.day}
        type="date"
        aria-label="From day"
        leftSection="From"
        leftSectionWidth={52}
        value={from}
        max={to || undefined}
        onChange={(event) => change({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        className={classes.day}
        type="date"
        aria-label="To day"
        leftSection="To"
        leftSectionWidth={36}
        value={to}
        min={from || undefined}
        onChange={(event) => change({ to: event.currentTarget.value || undefined })}
      />
      {actor && (
        <Button variant="light" size="sm" onClick={() => change({ actor: undefined })} aria-label="Show all entries">
          By one person ×
        </Button>
      )}
      {isNarrowed && (
        <Button variant="subtle" color="gray" onClick={clear}>
          Clear
        </Button>
      )}
    </Group>
  );
}

/** Asks the gateway after a pause in typing. */
function TypedSearch({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [text, setText] = useState(value);
  const tell = useDebouncedCallback(onChange, TYPING_MS);
  useEffect(() => setText(value), [value]);
  return (
    <SearchField
      label="Search the log"
      value={text}
      onChange={(typed) => {
        setText(typed);
        tell(typed);
      }}
    />
  );
}

/** The action in the address stays a choice even if the log has no recent one. */
function withValue(choices: ReturnType<typeof actionChoices>, value: string | null) {
  const isKnown = value === null || choices.some(({ items }) => items.some((item) => item.value === value));
  return isKnown ? choices : [...choices, { group: 'Chosen', items: [{ value, label: value }] }];
}

/** Files with all matching entries, not only those on the page. */
function ExportMenu({ filter }: { filter: AuditFilter }) {
  const { isBusy, download } = useDownload();
  return (
    <DropMenu
      width={200}
      target={
        <Button variant="default" loading={isBusy} leftSection={<Download size={15} aria-hidden="true" />}>
          Export
        </Button>
      }
    >
      {(Menu) => (
        <>
          <Menu.Label>Every entry that matches</Menu.Label>
          <Menu.Item
            component="a"
            href={exportAddress(filter, 'csv')}
            download
            onClick={download}
            leftSection={<FileSpreadsheet size={15} aria-hidden="true" />}
          >
            CSV
          </Menu.Item>
          <Menu.Item
            component="a"
            href={exportAddress(filter, 'json')}
            download
            onClick={download}
            leftSection={<FileJson size={15} aria-hidden="true" />}
          >
            JSON
          </Menu.Item>
        </>
      )}
    </DropMenu>
  );
}

const EntryDrawer = onDemand(
  () => import('./entry-drawer').then((module) => module.EntryDrawer),
  ({ entry }) => entry !== null,
  { entry: null },
);

export function AuditPage() {
  const search = useAuditSearch();
  const query = useInfiniteQuery(auditQuery(search.filter));
  const [openId, open, close] = useUrlDrawer('entry');
  const columns = useMemo(() => auditColumns(({ id }) => open(id)), [open]);
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? [];
  useIdCheck('entry', openId, !query.data || entries.some(({ id }) => id === openId));
  return (
    <Page
      title="Audit log"
      description="Who changed what, and when. Entries cannot be changed or removed, and they never contain secrets."
      actions={<ExportMenu filter={search.filter} />}
    >
      <AuditFilters {...search} />
      <PagedTable
        label="Audit log"
        query={query}
        rows={entries}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ action }) => action}
        onRowClick={({ id }) => open(id)}
        isSelected={({ id }) => id === openId}
        empty={search.isNarrowed ? <NoMatch onClear={search.clear} /> : <NoEntries />}
      />
      <EntryDrawer entry={entries.find(({ id }) => id === openId) ?? null} onClose={close} onFilter={search.narrowTo} />
    </Page>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={ScrollText}
      title="Nothing matches"
      action={
        <Button variant="default" onClick={onClear}>
          Clear search and filters
        </Button>
      }
    />
  );
}

function NoEntries() {
  return (
    <EmptyState icon={ScrollText} title="No changes yet">
      Changes by administrators, the command line and single sign-on appear here immediately.
    </EmptyState>
  );
}
