import Download from 'icon:download';
import FileJson from 'icon:file-json';
import FileSpreadsheet from 'icon:file-spreadsheet';
import { Button } from '@mantine/core';
import { DropMenu } from '../../kit/drop-menu';
import classes from './usage.module.css';
import { exportAddress } from './usage-queries';
import type { UsageSearch } from './use-usage-search';

const KINDS = [
  { kind: 'report', label: 'Report, as shown' },
  { kind: 'calls', label: 'Every request in the range' },
] as const;

const FORMATS = [
  { format: 'csv', label: 'CSV', Icon: FileSpreadsheet },
  { format: 'json', label: 'JSON', Icon: FileJson },
] as const;

/** Downloads of the page's data: with its range, filters and grouping. */
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
          {KINDS.map(({ kind, label }) => (
            <div key={kind}>
              <Menu.Label>{label}</Menu.Label>
              {FORMATS.map(({ format, label: name, Icon }) => (
                <Menu.Item
                  key={format}
                  component="a"
                  href={exportAddress(search, kind, format)}
                  download
                  leftSection={<Icon size={15} aria-hidden />}
                  aria-label={`${label} (${name})`}
                >
                  {name}
                </Menu.Item>
              ))}
            </div>
          ))}
        </>
      )}
    </DropMenu>
  );
}
