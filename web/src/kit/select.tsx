import { ComboboxChevron, InputBase, type SelectProps } from '@mantine/core';
import { type ChangeEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { loadedOverlays, loadOverlays } from './on-demand';
import { SegmentedControl } from './segmented-control';
import { type Scope, useUsageScope } from './url-state';

/** Keys that open a list. */
const OPENING = ['ArrowDown', 'ArrowUp', 'Enter', ' '];

/** The user's input before the real field was there. */
interface UserInput {
  hasFocus: boolean;
  isClicked: boolean;
  typed: string | null;
}

const NONE: UserInput = { hasFocus: false, isClicked: false, typed: null };

/**
 * A field that looks like one with a list, until someone uses it. Then the real one replaces it and receives the focus,
 * the click and the typed text.
 */
export function usePlaceholder({ loadsEarly = false, takesText = false }) {
  const [overlays, setOverlays] = useState(loadedOverlays);
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  if (error !== null) throw error;
  const field = useRef<HTMLInputElement>(null);
  const userInput = useRef(NONE);
  const taken = useRef(NONE);
  const load = useCallback(() => {
    const swap = (parts: Awaited<ReturnType<typeof loadOverlays>>) => {
      taken.current = userInput.current;
      setOverlays(parts);
    };
    loadOverlays().then(swap, setError);
  }, []);
  useEffect(() => {
    if (loadsEarly) load();
  }, [loadsEarly, load]);
  useEffect(() => {
    if (!overlays || !field.current) return;
    repeat(taken.current, field.current);
    setTyped(null);
  }, [overlays]);
  const note = (more: Partial<UserInput>) => {
    userInput.current = { ...userInput.current, ...more };
    if (more.typed !== undefined) setTyped(more.typed);
  };
  return {
    overlays,
    field,
    typed,
    placeholderProps: {
      readOnly: !takesText,
      onPointerEnter: load,
      onMouseDown: () => note({ isClicked: true }),
      onClick: ({ currentTarget }: { currentTarget: HTMLInputElement }) => takesText && currentTarget.select(),
      onFocus: () => {
        note({ hasFocus: true });
        load();
      },
      onBlur: () => note(NONE),
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => note({ typed: currentTarget.value }),
      onKeyDown: ({ key }: KeyboardEvent) => OPENING.includes(key) && note({ isClicked: true }),
    },
  };
}

function repeat({ hasFocus, isClicked, typed }: UserInput, field: HTMLInputElement): void {
  if (!hasFocus) return;
  field.focus();
  if (isClicked) field.click();
  if (typed !== null) type(field, typed);
}

/** As typed by a person: React only notices text that it did not set itself. */
function type(field: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

/**
 * A choice from a list. The list's code is loaded when someone is about to use it; until then a field shows the chosen
 * value.
 */
export function Select<V extends string = string>(props: SelectProps<V>) {
  const hasClearButton = props.clearable === true && props.value != null;
  const { overlays, field, typed, placeholderProps } = usePlaceholder({
    loadsEarly: hasClearButton,
    takesText: props.searchable,
  });
  if (overlays) {
    // A list that opens with a text shows its matches, not the previous choice.
    return <overlays.Select<V> {...props} ref={field} selectFirstOptionOnDropdownOpen={typed !== null} />;
  }
  const shown = shownOf(props);
  return <InputBase {...shown} value={typed ?? shown.value} {...placeholderProps} __staticSelector="Select" />;
}

/** The select's props that are visible before it opens. */
function shownOf<V extends string>(props: SelectProps<V>) {
  const { className, hiddenFrom, visibleFrom, w, label, placeholder, disabled, data = [], value } = props;
  const chosen = data.flatMap((entry: Entry | string) => itemsOf(entry)).find((item) => item.value === value);
  return {
    ...{ className, hiddenFrom, visibleFrom, w, label, placeholder, disabled },
    'aria-label': props['aria-label'],
    role: 'combobox',
    'aria-haspopup': 'listbox',
    'aria-expanded': false,
    pointer: !props.searchable,
    value: String(chosen?.label ?? ''),
    rightSection: <ComboboxChevron size="sm" />,
    rightSectionPointerEvents: 'none',
  } as const;
}

/** Items, optionally in groups. */
interface Entry {
  value?: unknown;
  label?: unknown;
  items?: readonly (Entry | string)[];
}

function itemsOf(entry: Entry | string): Entry[] {
  if (typeof entry === 'string') return [{ value: entry, label: entry }];
  return entry.items ? entry.items.flatMap((item) => itemsOf(item)) : [entry];
}

const SCOPE_LABELS: Record<Scope, string> = { mine: 'Mine', projects: 'My projects', all: 'Everyone’s' };

/** Switches between the person's own data, that of the person's projects and everyone's; nothing without a choice. */
export function ScopeSwitch({ what }: { what: 'keys' | 'projects' | 'requests' | 'usage' | 'budgets' }) {
  const { scope, scopes, choose } = useUsageScope(what === 'budgets' || what === 'usage' ? what : 'requests');
  const isOfOwners = what === 'keys' || what === 'projects';
  const shown = isOfOwners ? scopes.filter((one) => one !== 'projects') : scopes;
  if (shown.length === 1) return null;
  return (
    <SegmentedControl<Scope>
      aria-label={`Whose ${what}`}
      value={shown.includes(scope) ? scope : 'mine'}
      onChange={choose}
      data={shown.map((value) => ({
        value,
        label: what === 'projects' && value === 'all' ? 'All' : SCOPE_LABELS[value],
      }))}
    />
  );
}
