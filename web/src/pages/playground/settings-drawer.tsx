import { Drawer } from '@mantine/core';
import { SettingsPanel, type SettingsPanelProps } from './settings-panel';

interface SettingsDrawerProps extends SettingsPanelProps {
  opened: boolean;
  onClose: () => void;
}

/** The settings on screens that are too narrow to show them beside the conversation. */
export function SettingsDrawer({ opened, onClose, ...settings }: SettingsDrawerProps) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Settings" hiddenFrom="md">
      <SettingsPanel {...settings} />
    </Drawer>
  );
}
