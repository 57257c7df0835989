import { Text } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import { type Found, useFound } from '../../kit/use-found';
import classes from './requests.module.css';

/** What can be found on this page: also an error code or a status, as it was typed. */
export interface Choice extends Omit<Found, 'kind'> {
  kind: Found['kind'] | 'code' | 'httpStatus';
}

const KINDS: Record<Choice['kind'], string> = {
  request: 'Request',
  key: 'Key',
  user: 'User',
  model: 'Model',
  project: 'Project',
  upstream: 'Upstream',
  code: 'Error code',
  httpStatus: 'HTTP status',
};

const HTTP_STATUS = /^[1-5]\d\d$/;
const ERROR_CODE = /^[a-z]+(?:_[a-z]+)+$/;

function errorsNamed(text: string): Choice[] {
  const kind = HTTP_STATUS.test(text) ? 'httpStatus' : ERROR_CODE.test(text) ? 'code' : null;
  return kind === null ? [] : [{ kind, id: text, label: text, detail: '' }];
}

export interface Result {
  found: readonly Choice[];
  isSearching: boolean;
}

interface FoundListProps {
  id: string;
  text: string;
  /** The marked result. */
  at: number;
  onResult: (result: Result) => void;
  onMark: (at: number) => void;
  onChoose: (found: Choice) => void;
}

/** What a text finds, as the list of its field. */
export function FoundList({ id, text, at, onResult, onMark, onChoose }: FoundListProps) {
  const { found: others, isSearching } = useFound(text);
  const found = useMemo(() => [...errorsNamed(text.trim()), ...others], [text, others]);
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
