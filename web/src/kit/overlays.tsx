import { Menu, type MenuProps, Popover, type PopoverProps, Tooltip, type TooltipProps } from '@mantine/core';
import { type ReactNode, type Ref, useEffect, useState } from 'react';

export { Select, TagsInput } from '@mantine/core';

/** The parts of a menu. */
export type MenuParts = typeof Menu;

interface AboveProps {
  id: string;
  /** The button that opens it, rendered before. */
  anchor: HTMLElement;
  isOpen: boolean;
}

interface OverlayMenuProps extends AboveProps {
  onChange: (isOpen: boolean) => void;
  place: Pick<MenuProps, 'position' | 'width'>;
  children: (parts: MenuParts) => ReactNode;
}

export function OverlayMenu({ id, anchor, isOpen, onChange, place, children }: OverlayMenuProps) {
  return (
    <Menu id={id} opened={useAfterMount(isOpen)} onChange={onChange} {...place}>
      <Menu.Target>
        <Anchor anchor={anchor} />
      </Menu.Target>
      <Menu.Dropdown>{children(Menu)}</Menu.Dropdown>
    </Menu>
  );
}

interface OverlayPanelProps extends AboveProps {
  onChange: (isOpen: boolean) => void;
  place: Pick<PopoverProps, 'position' | 'width'>;
  /** Props of the panel itself. */
  dropdown: Parameters<typeof Popover.Dropdown>[0];
  children: ReactNode;
}

export function OverlayPanel({ id, anchor, isOpen, onChange, place, dropdown, children }: OverlayPanelProps) {
  return (
    <Popover id={id} opened={useAfterMount(isOpen)} onChange={onChange} shadow="md" trapFocus returnFocus {...place}>
      <Popover.Target>
        <Anchor anchor={anchor} />
      </Popover.Target>
      <Popover.Dropdown {...dropdown}>{children}</Popover.Dropdown>
    </Popover>
  );
}

export interface OverlayTipProps extends AboveProps, Pick<TooltipProps, 'label' | 'multiline' | 'maw' | 'styles'> {}

export function OverlayTip({ id, anchor, isOpen, label, ...look }: OverlayTipProps) {
  return <Tooltip target={anchor} opened={useAfterMount(isOpen)} label={<span id={id}>{label}</span>} {...look} />;
}

/** Opening is a change, so that the focus moves in and out again. */
function useAfterMount(isOpen: boolean): boolean {
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(isOpen), [isOpen]);
  return isShown;
}

/** Represents an element that is already on the page. */
function Anchor({ anchor, ref }: { anchor: HTMLElement; ref?: Ref<HTMLElement> }) {
  useEffect(() => {
    if (typeof ref !== 'function') return;
    ref(anchor);
    return () => void ref(null);
  }, [anchor, ref]);
  return null;
}
