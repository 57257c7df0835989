import { Injectable, Logger } from '@nestjs/common';
import { type ConfigChange, configChanges, RELOADED, restartNeeds, SECTIONS } from './config-changes.js';
import { type Fault, SettingsError } from './settings.error.js';
import { InjectSettings, type Settings } from './settings.js';

/** What requested the reload: a signal, the command line, or a change of the files. */
export type ReloadCause = 'signal' | 'command' | 'files';

/** The result of the last reload. */
export interface Reload {
  readonly at: Date;
  readonly cause: ReloadCause;
  /** The changes by this reload; empty if the files have mistakes. */
  readonly changes: readonly ConfigChange[];
  /** Sections of gateway.yaml that differ from those at the start and need a restart. */
  readonly needsRestart: readonly string[];
  readonly faults: readonly Fault[];
}

/** Reloads the configuration while the gateway runs: all changes take effect together, or none. */
@Injectable()
export class ConfigReloadService {
  /** Null before the first reload. */
  last: Reload | null = null;
  private readonly logger = new Logger('Configuration');

  constructor(@InjectSettings() private readonly settings: Settings) {}

  /** Running calls keep their model, targets and clocks. */
  reload(cause: ReloadCause): Reload {
    this.last = { at: new Date(), cause, ...this.apply() };
    this.tell(this.last);
    return this.last;
  }

  private tell({ cause, changes, needsRestart, faults }: Reload): void {
    if (faults.length > 0)
      this.logger.error('The configuration contains errors; nothing was changed.', { cause, faults });
    else if (changes.length > 0) this.logger.log('The configuration was reloaded.', { cause, changes });
    else this.logger.log('The configuration was reloaded: no reloadable settings changed.', { cause });
    if (needsRestart.length > 0) {
      this.logger.warn(`gateway.yaml has changes that need a restart: ${needsRestart.join(', ')}.`, { cause });
    }
  }

  private apply(): Pick<Reload, 'changes' | 'needsRestart' | 'faults'> {
    const next = this.read();
    if (Array.isArray(next)) return { changes: [], needsRestart: [], faults: next };
    const changes = configChanges(this.settings, next);
    // Replaced in one step: new models never use old upstreams. Callers read the settings at each use.
    if (changes.length > 0)
      Object.assign(this.settings, pick(next, RELOADED), { origins: origins(this.settings, next) });
    return { changes, needsRestart: restartNeeds(this.settings, next), faults: [] };
  }

  private read(): Settings | Fault[] {
    try {
      return this.settings.origins.readAgain();
    } catch (error) {
      if (error instanceof SettingsError) return [...error.faults];
      throw error;
    }
  }
}

function pick<Whole extends object, Key extends keyof Whole>(whole: Whole, keys: readonly Key[]): Pick<Whole, Key> {
  return Object.fromEntries(keys.map((key) => [key, whole[key]])) as Pick<Whole, Key>;
}

/** The file as it applies now: settings that need a restart keep the values that they had at the start. */
function origins({ origins: now }: Settings, { origins: next }: Settings): Settings['origins'] {
  const { path, content } = now.gatewayFile;
  const read = Object(next.gatewayFile.content);
  const kept = Object.entries(Object(content)).filter(([name]) => !SECTIONS.some((section) => section === name));
  const renewed = SECTIONS.filter((name) => name in read).map((name) => [name, read[name]]);
  return { ...now, gatewayFile: { path, content: Object.fromEntries([...kept, ...renewed]) } };
}
