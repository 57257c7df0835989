import Download from 'icon:download';
import FileJson from 'icon:file-json';
import FileSpreadsheet from 'icon:file-spreadsheet';
import { Button } from '@mantine/core';
import { DropMenu } from '../../kit/drop-menu';
import { type AuditFilter, exportAddress } from './audit-api';

/** Files with all matching entries, not only those on the page. */
export function ExportMenu({ filter }: { filter: AuditFilter }) {
  return (
    <DropMenu
      width={200}
      target={
        <Button variant="default" leftSection={<Download size={15} aria-hidden="true" />}>
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
        </>
      )}
    </DropMenu>
  );
}
