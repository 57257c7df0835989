import { describeFile } from './described-file.js';
import type { SettingGroup } from './described-settings.types.js';
import { describeVariables } from './described-variables.js';
import type { Settings } from './settings.js';

/** Everything that can be set, with what holds and what sets it; of secrets only whether they are set. */
export function describeSettings(settings: Settings): SettingGroup[] {
  return [...describeFile(settings), ...describeVariables(settings)];
}
