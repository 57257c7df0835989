import FileCog from 'icon:file-cog';
import SquareTerminal from 'icon:square-terminal';
import { Badge, Text } from '@mantine/core';
import type { Icon } from '../../icons/icon';
import classes from './settings.module.css';
import type { Setting } from './settings-api';

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
export function SettingSource({ setting: { name, source, setBy, value } }: { setting: Setting }) {
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
