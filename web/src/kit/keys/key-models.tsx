import { Text, UnstyledButton } from '@mantine/core';
import { DropPanel } from '../drop-panel';
import classes from './keys.module.css';
import type { KeyView } from './keys-api';

/** Has the focus itself, because it contains nothing to choose. */
const PANEL = { maw: 320, tabIndex: -1, 'data-autofocus': true };

/** "All", or the number of models, with their names on click. */
export function KeyModels({ apiKey: { name, models } }: { apiKey: KeyView }) {
  if (models === null) return <Text size="sm">All</Text>;
  return (
    <DropPanel
      position="bottom-start"
      dropdown={PANEL}
      target={
        <UnstyledButton
          className={classes.models}
          aria-label={`${models.length === 1 ? '1 model' : `${models.length} models`} of ${name}: show them`}
        >
          {models.length}
        </UnstyledButton>
      }
    >
      <ul className={classes.modelList}>
        {models.map((model) => (
          <li key={model}>{model}</li>
        ))}
      </ul>
    </DropPanel>
  );
}
