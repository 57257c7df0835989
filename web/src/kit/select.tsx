import { ComboboxChevron, InputBase, type SelectProps } from '@mantine/core';
import { usePlaceholder } from './use-placeholder';

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
