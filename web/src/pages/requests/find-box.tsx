import Search from 'icon:search';
import { Kbd, Loader, Paper, TextInput } from '@mantine/core';
import { type KeyboardEvent, lazy, Suspense, useId, useRef, useState } from 'react';
import { searchable, useShortcuts } from '../../kit/shortcuts';
import type { Choice, Result } from './found-list';
import classes from './requests.module.css';

export type { Choice };

const FoundList = lazy(() => import('./found-list').then((module) => ({ default: module.FoundList })));

const NOTHING: Result = { found: [], isSearching: true };

/** Finds a request by its id, and keys, users, models, error codes and statuses to filter by. A whole key is cut to its display form. */
export function FindBox({ onChoose }: { onChoose: (found: Choice) => void }) {
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [{ found, isSearching }, setResult] = useState(NOTHING);
  useShortcuts([['/', () => field.current?.focus()]]);
  const isShown = isOpen && text.trim().length > 1;
  const choose = (one: Choice | undefined) => {
    if (!one) return;
    setText('');
    setOpen(false);
    setResult(NOTHING);
    onChoose(one);
  };
  const move = (step: number) => setAt(found.length === 0 ? 0 : (at + step + found.length) % found.length);
  const actions: Record<string, () => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => isShown && !isSearching && choose(found[at]),
    Escape: () => setText(''),
  };
  const press = (event: KeyboardEvent) => {
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: leaving the field and its list closes the list
    <div
      className={classes.box}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setOpen(false)}
    >
      <TextInput
        ref={field}
        role="combobox"
        aria-label="Find requests"
        aria-expanded={isShown}
        aria-controls={isShown ? list : undefined}
        aria-activedescendant={isShown && found[at] ? `${list}-${at}` : undefined}
        aria-autocomplete="list"
        placeholder="Id, key, user, model or error code"
        autoComplete="off"
        spellCheck={false}
        value={text}
        leftSection={<Search size={15} aria-hidden />}
        rightSection={
          text === '' && (
            <Kbd size="xs" aria-hidden className={classes.key}>
              /
            </Kbd>
          )
        }
        onFocus={() => setOpen(true)}
        onChange={(event) => {
          setText(searchable(event.currentTarget.value));
          setOpen(true);
          setAt(0);
        }}
        onKeyDown={press}
      />
      {isShown && (
        <Paper shadow="md" className={classes.list}>
          <Suspense fallback={<Loader size="sm" m="xs" />}>
            <FoundList id={list} text={text} at={at} onResult={setResult} onMark={setAt} onChoose={choose} />
          </Suspense>
        </Paper>
      )}
    </div>
  );
}
