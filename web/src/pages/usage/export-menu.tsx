import Download from 'icon:download';
import FileJson from 'icon:file-json';
import FileSpreadsheet from 'icon:file-spreadsheet';
import { Button } from '@mantine/core';
import { DropMenu } from '../../kit/drop-menu';
import classes from './usage.module.css';
import { exportAddress } from './usage-queries';
import type { UsageSearch } from './use-usage-search';

const FORMATS = [
  { format: 'csv', label: 'CSV', Icon: FileSpreadsheet },
  { format: 'json', label: 'JSON', Icon: FileJson },
] as const;

/** Downloads of the report: with its range, filters and grouping. Single requests have a page of their own. */
export function ExportMenu({ search }: { search: UsageSearch }) {
  return (
    <DropMenu
      width={230}
      target={
        <Button variant="default" className={classes.control}>
          <Download size={15} aria-hidden />
          <span className={classes.controlLabel}>Export</span>
        </Button>
      }
    >
      {(Menu) => (
        <>
          {FORMATS.map(({ format, label, Icon }) => (
            <Menu.Item
              key={format}
              component="a"
              href={exportAddress(search, format)}
              download
              leftSection={<Icon size={15} aria-hidden />}
              aria-label={`Report, as shown (${label})`}
            >
              {label}
            </Menu.Item>
          ))}
        </>
      )}
    </DropMenu>
  );
}
