import CircleX from 'icon:circle-x';
import FileCheck from 'icon:file-check';
import RotateCcw from 'icon:rotate-ccw';
import { Alert, Code, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Icon } from '../../icons/icon';
import { RelativeTime } from '../../kit/relative-time';
import { type Reload, reloadQuery } from './reload-api';

const CAUSES: Record<Reload['cause'], string> = {
  signal: 'by a signal',
  command: 'by the command line',
  files: 'because a file changed',
};

/** The result of the last reload of the files; nothing before the first one. */
export function LastReload() {
  const { data } = useQuery(reloadQuery);
  if (!data?.last) return null;
  const { at, cause, changes, needsRestart, faults } = data.last;
  const { title, color, icon: Icon } = lookOf(data.last);
  return (
    <Alert icon={<Icon size={17} aria-hidden="true" />} color={color} mb="md" title={title}>
      <Text size="sm" component="p" m={0}>
        Read <RelativeTime value={at} />, {CAUSES[cause]}
        {changes.length === 0 && faults.length === 0 && ': no reloadable settings changed'}.
      </Text>
      <List size="sm" mt={4}>
        {changes.map(({ file, name, change }) => (
          <List.Item key={`${file} ${name}`}>
            <Code fz="xs">{name}</Code> {change} in {file}
          </List.Item>
        ))}
        {faults.map(({ file, key, problem }) => (
          <List.Item key={`${file} ${key} ${problem}`}>
            {file.split('/').at(-1)}: <Code fz="xs">{key}</Code> {problem}
          </List.Item>
        ))}
        {needsRestart.map((name) => (
          <List.Item key={name}>
            <Code fz="xs">{name}</Code> changed in gateway.yaml; a restart is needed
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function lookOf({ needsRestart, faults }: Reload): { title: string; color: string; icon: Icon } {
  if (faults.length > 0) return { title: 'The files contain errors; nothing was changed', color: 'red', icon: CircleX };
  if (needsRestart.length > 0)
    return { title: 'The files were reloaded; a restart is needed', color: 'gray', icon: RotateCcw };
  return { title: 'The files were reloaded', color: 'gray', icon: FileCheck };
}
