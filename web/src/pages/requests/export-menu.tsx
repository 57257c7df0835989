import Download from 'icon:download';
import FileJson from 'icon:file-json';
import FileSpreadsheet from 'icon:file-spreadsheet';
import { Button } from '@mantine/core';
import { DropMenu } from '../../kit/drop-menu';
import { exportAddress } from './requests-queries';
import type { RequestsSearch } from './use-requests-search';

const FORMATS = [
  { format: 'csv', label: 'CSV', Icon: FileSpreadsheet },
  { format: 'json', label: 'JSON', Icon: FileJson },
] as const;

/** Downloads of every request that matches the range and the filters. */
export function ExportMenu({ search }: { search: RequestsSearch }) {
  return (
    <DropMenu
      width={220}
      target={
        <Button variant="default" leftSection={<Download size={15} aria-hidden />}>
          Export
        </Button>
      }
    >
      {(Menu) => (
        <>
          <Menu.Label>All requests that match</Menu.Label>
          {FORMATS.map(({ format, label, Icon }) => (
            <Menu.Item
              key={format}
              component="a"
              href={exportAddress(search, format)}
              download
              leftSection={<Icon size={15} aria-hidden />}
              aria-label={`All requests that match (${label})`}
            >
              {label}
            </Menu.Item>
          ))}
        </>
      )}
    </DropMenu>
  );
}
