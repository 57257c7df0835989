import Search from 'icon:search';
import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { useRef } from 'react';
import classes from './kit.module.css';
import { searchable, useShortcuts } from './shortcuts';

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
}

/** The search field of a list; `/` focuses it. A whole key is cut to its display form. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([['/', () => field.current?.focus()]]);
  return (
    <TextInput
      ref={field}
      className={classes.searchField}
      type="text"
      role="searchbox"
      aria-label={label}
      placeholder={label}
      value={value}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(searchable(event.currentTarget.value))}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && value !== '') onChange('');
      }}
      leftSection={<Search size={15} aria-hidden="true" />}
      rightSection={
        value ? (
          <CloseButton size="sm" aria-label="Clear search" onClick={() => onChange('')} />
        ) : (
          <Kbd size="xs" aria-hidden="true" className={classes.key}>
            /
          </Kbd>
        )
      }
    />
  );
}
