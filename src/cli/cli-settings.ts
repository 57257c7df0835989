import { processSettings, type Settings } from '../config/settings.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';

/** The settings that a command reads by itself. */
export function cliSettings(): Settings {
  return processSettings(PROVIDERS);
}
