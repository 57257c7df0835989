import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { type Found, useFound } from '../../kit/use-found';
import classes from './requests.module.css';

const KINDS: Record<Found['kind'], string> = { request: 'Request', key: 'Key', user: 'User', model: 'Model' };

export interface Result {
  found: readonly Found[];
  isSearching: boolean;
}

interface FoundListProps {
  id: string;
  text: string;
  /** The marked result. */
  at: number;
  onResult: (result: Result) => void;
  onMark: (at: number) => void;
  onChoose: (found: Found) => void;
}

/** What a text finds, as the list of its field. */
export function FoundList({ id, text, at, onResult, onMark, onChoose }: FoundListProps) {
  const { found, isSearching } = useFound(text);
  useEffect(() => onResult({ found, isSearching }), [onResult, found, isSearching]);
  return (
    <>
      <div id={id} role="listbox" aria-label="Found" tabIndex={-1}>
        {found.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={`${one.kind} ${one.id}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={classes.option}
            onPointerEnter={() => onMark(index)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(one)}
          >
            <Text size="xs" c="dimmed" className={classes.kind}>
              {KINDS[one.kind]}
            </Text>
            <span className={classes.findBoxLabel}>{one.label}</span>
            <Text size="xs" c="dimmed" className={classes.findBoxLabel}>
              {one.detail !== one.label && one.detail}
            </Text>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <Text size="sm" c="dimmed" p="xs" role="status">
          {isSearching ? 'Searching…' : 'Nothing found.'}
        </Text>
      )}
    </>
  );
}
