import Check from 'icon:check';
import Monitor from 'icon:monitor';
import Moon from 'icon:moon';
import Sun from 'icon:sun';
import { ActionIcon, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { DropMenu } from '../kit/drop-menu';

const schemes = [
  { value: 'auto', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const;

export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = schemes.find(({ value }) => value === colorScheme)?.icon ?? Monitor;
  return (
    <DropMenu
      width={160}
      target={
        <ActionIcon size="lg" aria-label="Theme">
          <Current size={17} aria-hidden="true" />
        </ActionIcon>
      }
    >
      {(Menu) =>
        schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={15} aria-hidden="true" />}
            rightSection={value === colorScheme && <Check size={15} aria-hidden="true" />}
            onClick={() => setColorScheme(value)}
          >
            {label}
            {value === colorScheme && <VisuallyHidden>, chosen</VisuallyHidden>}
          </Menu.Item>
        ))
      }
    </DropMenu>
  );
}
