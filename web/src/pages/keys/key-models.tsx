import { Popover, Text, UnstyledButton } from '@mantine/core';
import classes from './keys.module.css';
import type { KeyView } from './keys-api';

/** "All", or how many, with their names at a click. */
export function KeyModels({ apiKey: { name, models } }: { apiKey: KeyView }) {
  if (models === null) return <Text size="sm">All</Text>;
  return (
    <Popover position="bottom-start" shadow="md" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton
          className={classes.models}
          aria-label={`${models.length === 1 ? '1 model' : `${models.length} models`} of ${name}: show them`}
        >
          {models.length}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown maw={320} tabIndex={-1} data-autofocus>
        <ul className={classes.modelList}>
          {models.map((model) => (
            <li key={model}>{model}</li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
