import { ComboboxChevron, InputBase, type SelectProps } from '@mantine/core';
import { useStandIn } from './use-stand-in';

/** A choice from a list. The list's code comes when somebody reaches for it; until then a field shows what is chosen. */
export function Select<V extends string = string>(props: SelectProps<V>) {
  const hasClearButton = props.clearable === true && props.value != null;
  const { overlays, field, typed, standInProps } = useStandIn({
    isWantedAtOnce: hasClearButton,
    takesText: props.searchable,
  });
  if (overlays) {
    // A list that opens with a text begins with what the text finds, not with what was chosen before.
    return <overlays.Select<V> {...props} ref={field} selectFirstOptionOnDropdownOpen={typed !== null} />;
  }
  const shown = shownOf(props);
  return <InputBase {...shown} value={typed ?? shown.value} {...standInProps} __staticSelector="Select" />;
}

/** Of a select's properties those that can be seen before it opens. */
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

/** Items, some of them in groups. */
interface Entry {
  value?: unknown;
  label?: unknown;
  items?: readonly (Entry | string)[];
}

function itemsOf(entry: Entry | string): Entry[] {
  if (typeof entry === 'string') return [{ value: entry, label: entry }];
  return entry.items ? entry.items.flatMap((item) => itemsOf(item)) : [entry];
}
