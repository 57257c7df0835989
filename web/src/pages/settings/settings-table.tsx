import FileCog from 'icon:file-cog';
import LockKeyhole from 'icon:lock-keyhole';
import SquareTerminal from 'icon:square-terminal';
import { Badge, Paper, Text, Title, UnstyledButton } from '@mantine/core';
import type { Icon } from '../../icons/icon';
import { Table } from '../../kit/table';
import classes from './settings.module.css';
import type { Setting, SettingGroup } from './settings-filter';

/** The id of the element that a group's link leads to. */
function groupId(title: string): string {
  return `settings-${title.toLowerCase().replaceAll(/\W+/g, '-')}`;
}

/** Links to each group of a long page. */
export function GroupLinks({ groups }: { groups: readonly SettingGroup[] }) {
  return (
    <nav aria-label="Setting groups" className={classes.links}>
      {groups.map(({ title, settings }) => (
        <UnstyledButton key={title} className={classes.link} onClick={() => goTo(title)}>
          {title}
          <span className={classes.count}>{settings.length}</span>
        </UnstyledButton>
      ))}
    </nav>
  );
}

function goTo(title: string): void {
  const heading = document.getElementById(groupId(title));
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

interface SourceStyle {
  label: string;
  icon: Icon;
}

const STYLES: Record<Exclude<Setting['source'], 'default'>, SourceStyle> = {
  environment: { label: 'Environment', icon: SquareTerminal },
  '.env': { label: '.env', icon: SquareTerminal },
  file: { label: 'File', icon: FileCog },
};

/** What sets a setting: in words, and the file or variable. */
function SettingSource({ setting: { name, source, setBy, value } }: { setting: Setting }) {
  if (source === 'default') {
    return (
      <Text size="sm" c="dimmed">
        {value === null ? '–' : 'Default'}
      </Text>
    );
  }
  const { label, icon: Icon } = STYLES[source];
  return (
    <div className={classes.source}>
      <Badge color={source === 'file' ? 'gray' : undefined} leftSection={<Icon size={12} aria-hidden="true" />}>
        {label}
      </Badge>
      {setBy !== name && (
        <Text size="xs" c="dimmed" ff="monospace" className={classes.setBy} title={setBy}>
          {setBy.split('/').at(-1)}
        </Text>
      )}
    </div>
  );
}

/** One group of settings. */
export function SettingsTable({ group: { title, settings } }: { group: SettingGroup }) {
  const id = groupId(title);
  return (
    <section>
      <Title order={2} id={id} mb="xs" tabIndex={-1} className={classes.title}>
        {title}
      </Title>
      <Paper className={classes.frame}>
        <Table aria-labelledby={id} role="table" className={classes.table} verticalSpacing={10}>
          <Table.Thead role="rowgroup" className={classes.head}>
            <Table.Tr role="row">
              <Table.Th role="columnheader" scope="col">
                Setting
              </Table.Th>
              <Table.Th role="columnheader" scope="col" w="30%">
                Value
              </Table.Th>
              <Table.Th role="columnheader" scope="col" w="26%">
                Set by
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {settings.map((setting) => (
              <Table.Tr key={setting.name} role="row" className={classes.row}>
                <Table.Th role="rowheader" scope="row" className={classes.name}>
                  <Text size="sm" ff="monospace" className={classes.key}>
                    {setting.name}
                  </Text>
                  <Text size="xs" c="dimmed" fw={400} className={classes.description}>
                    {setting.description.replaceAll('`', '')}
                  </Text>
                </Table.Th>
                <Table.Td role="cell">
                  <SettingValue setting={setting} />
                </Table.Td>
                <Table.Td role="cell">
                  <SettingSource setting={setting} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </section>
  );
}

function SettingValue({ setting: { value, secret } }: { setting: Setting }) {
  if (secret === 'set') {
    return (
      <span className={classes.secret}>
        <LockKeyhole size={14} aria-hidden="true" />
        Secret, set
      </span>
    );
  }
  if (value === null) {
    return (
      <Text size="sm" c="dimmed">
        Not set
      </Text>
    );
  }
  return (
    <Text size="sm" ff="monospace" className={classes.value}>
      {value}
    </Text>
  );
}
