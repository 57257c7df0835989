import LockKeyhole from 'icon:lock-keyhole';
import { Paper, Text, Title } from '@mantine/core';
import { Table } from '../../kit/table';
import { groupId } from './group-links';
import { SettingSource } from './setting-source';
import classes from './settings.module.css';
import type { Setting, SettingGroup } from './settings-api';

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
