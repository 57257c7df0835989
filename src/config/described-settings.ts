import { describeFile } from './described-file.js';
import type { SettingGroup } from './described-settings.types.js';
import { describeVariables } from './described-variables.js';
import type { Settings } from './settings.js';

/** All settings, with their values and what sets them; for secrets only whether they are set. */
export function describeSettings(settings: Settings): SettingGroup[] {
  return [...describeFile(settings), ...describeVariables(settings)];
}
