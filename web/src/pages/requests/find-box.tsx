import Search from 'icon:search';
import { Kbd, Paper, Text, TextInput } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import { searchable } from '../../kit/cut-key';
import { type Found, useFound } from '../../kit/use-found';
import { useShortcuts } from '../../kit/use-shortcuts';
import classes from './find-box.module.css';

const KINDS: Record<Found['kind'], string> = { request: 'Request', key: 'Key', user: 'User', model: 'Model' };

/** Finds a request by its id, and keys, users and models to filter by. A whole key is cut to its display form. */
export function FindBox({ onChoose }: { onChoose: (found: Found) => void }) {
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const { found, isSearching } = useFound(text);
  useShortcuts([['/', () => field.current?.focus()]]);
  const choose = (one: Found | undefined) => {
    if (!one) return;
    setText('');
    setOpen(false);
    onChoose(one);
  };
  const isShown = isOpen && text.trim().length > 1;
  const move = (step: number) => setAt(found.length === 0 ? 0 : (at + step + found.length) % found.length);
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
        placeholder="Request id, key, user or model"
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
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(1);
          else if (event.key === 'ArrowUp') move(-1);
          else if (event.key === 'Enter' && !isSearching) choose(found[at]);
          else if (event.key === 'Escape') setText('');
          else return;
          event.preventDefault();
        }}
      />
      {isShown && (
        <Paper shadow="md" className={classes.list}>
          <div id={list} role="listbox" aria-label="Found" tabIndex={-1}>
            {found.map((one, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
              <div
                key={`${one.kind} ${one.id}`}
                id={`${list}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                className={classes.option}
                onPointerEnter={() => setAt(index)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(one)}
              >
                <Text size="xs" c="dimmed" className={classes.kind}>
                  {KINDS[one.kind]}
                </Text>
                <span className={classes.label}>{one.label}</span>
                <Text size="xs" c="dimmed" className={classes.label}>
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
        </Paper>
      )}
    </div>
  );
}
