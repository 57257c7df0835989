import { Button, Menu } from '@mantine/core';
import { Download, FileJson, FileSpreadsheet } from 'lucide-react';
import { type AuditFilter, exportAddress } from './audit-api';

/** Files with all that matches, not only what the page shows. */
export function ExportMenu({ filter }: { filter: AuditFilter }) {
  return (
    <Menu width={200}>
      <Menu.Target>
        <Button variant="default" leftSection={<Download size={15} aria-hidden="true" />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Every entry that matches</Menu.Label>
        <Menu.Item
          component="a"
          href={exportAddress(filter, 'csv')}
          download
          leftSection={<FileSpreadsheet size={15} aria-hidden="true" />}
        >
          CSV
        </Menu.Item>
        <Menu.Item
          component="a"
          href={exportAddress(filter, 'json')}
          download
          leftSection={<FileJson size={15} aria-hidden="true" />}
        >
          JSON
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
