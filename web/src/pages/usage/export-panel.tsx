import FileJson from 'icon:file-json';
import FileSpreadsheet from 'icon:file-spreadsheet';
import { Button, Checkbox, Divider, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { mayAll, useSession } from '../../api/session';
import { useDownload } from '../../kit/notify';
import { toSpan, zoneName } from '../../kit/range';
import { Select } from '../../kit/select';
import { GROUPING_LABELS } from './report-panel';
import { exportAddress } from './usage-queries';
import { type Grouping, groupingsFor, type UsageSearch } from './use-usage-search';

const STEPS = [
  { value: 'month', label: 'Month' },
  { value: 'day', label: 'Day' },
  { value: 'hour', label: 'Hour' },
] as const;

type Step = (typeof STEPS)[number]['value'];

const FORMATS = [
  { format: 'csv', label: 'CSV', Icon: FileSpreadsheet },
  { format: 'json', label: 'JSON', Icon: FileJson },
] as const;

/** A file of the report's range and filters, with a row for each combination of what is ticked. */
export function ExportPanel({ search }: { search: UsageSearch }) {
  const { isBusy, download } = useDownload();
  const isAdmin = mayAll(useSession(), 'usage.read');
  const groupings = groupingsFor(isAdmin, search.scope);
  const [groups, setGroups] = useState<readonly string[]>(() => initialGroups(search, groupings));
  const [step, setStep] = useState<Step>('month');
  const chosen = groupings.filter((one) => groups.includes(one));
  const lastMonth = toLastMonth(search);
  const ofCharges = groupings.includes('project') ? (['project', 'model'] as const) : (['model'] as const);
  return (
    <Stack gap="sm">
      <Button
        component="a"
        variant="light"
        href={exportAddress(lastMonth, { format: 'csv', groups: ofCharges, step: 'month' })}
        download
        leftSection={<FileSpreadsheet size={15} aria-hidden />}
      >
        {monthOf(lastMonth)} by {ofCharges.join(' and ')}
      </Button>
      <Divider label="or the range of the page" />
      <Checkbox.Group label="A row for each" value={[...groups]} onChange={setGroups}>
        <Stack gap={6} mt={6}>
          {groupings.map((one) => (
            <Checkbox key={one} size="xs" value={one} label={GROUPING_LABELS[one]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select<Step>
        label="and each"
        allowDeselect={false}
        value={step}
        onChange={(value) => value && setStep(value)}
        data={STEPS}
      />
      <Text size="xs" c="dimmed">
        The days are those of the time zone under View. Both the local time and UTC are in the file.
      </Text>
      <Group gap="xs" grow>
        {FORMATS.map(({ format, label, Icon }) => (
          <Button
            key={format}
            component="a"
            variant={format === 'csv' ? 'filled' : 'default'}
            href={exportAddress(search, { format, groups: chosen, step })}
            download
            loading={isBusy}
            onClick={download}
            leftSection={<Icon size={15} aria-hidden />}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}

const ANY = { models: [], keys: [], users: [], projects: [], statuses: [], apis: [], upstreams: [] };

/** All of last month, whatever the page shows. */
function toLastMonth(search: UsageSearch): UsageSearch {
  const range = { preset: 'last-month', zone: search.range.zone, fromDay: null, toDay: null } as const;
  return { ...search, range, filters: ANY };
}

/** "October" */
function monthOf({ range }: UsageSearch): string {
  const { from } = toSpan(range, new Date());
  return from.toLocaleDateString(undefined, { timeZone: zoneName(range.zone), month: 'long' });
}

/** What a charge-back needs, if the person can group by it, and what the page groups by. */
function initialGroups({ groupBy }: UsageSearch, groupings: readonly Grouping[]): Grouping[] {
  return groupings.includes('project') ? ['project', 'model'] : [groupBy];
}
