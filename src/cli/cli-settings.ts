import { processSettings, type Settings } from '../config/settings.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';

/** The settings for commands that read them directly. */
export function cliSettings(): Settings {
  return processSettings(PROVIDERS);
}
