import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import { type Fault, SettingsError } from './config-file.js';
import { GATEWAY_SECTIONS } from './gateway.settings.js';
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
  /** The last state of each file of a secret; null: not looked at yet. */
  private stamps: ReadonlyMap<string, string> | null = null;

  constructor(@InjectSettings() private readonly settings: Settings) {}

  /**
   * Running calls keep their model, targets and clocks. A reload that removes most models is refused unless it is
   * forced: the file may be cut.
   */
  reload(cause: ReloadCause, isForced = false): Reload {
    this.last = { at: new Date(), cause, ...this.apply(isForced) };
    this.tell(this.last);
    return this.last;
  }

  /** Reads the secrets of upstreams again if one of their files has changed. */
  async rereadSecrets(): Promise<void> {
    const { secretFiles } = this.settings.origins;
    const stamps = await Promise.all([...secretFiles].map(async (file) => [file, await stampOf(file)] as const));
    const isFirst = this.stamps === null;
    const isSame = stamps.every(([file, stamp]) => this.stamps?.get(file) === stamp);
    this.stamps = new Map(stamps);
    if (isFirst || isSame) return;
    try {
      const renewed = this.settings.origins.readSecretsAgain();
      const names = differences(this.settings.upstreams, renewed).map(({ name }) => name);
      if (names.length === 0) return;
      // What was built from the models, such as the catalog, is built again.
      Object.assign(this.settings, { upstreams: renewed, models: [...this.settings.models] });
      this.logger.log(`The secrets of upstreams were read again: ${names.join(', ')}.`);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      this.logger.error('The changed secrets of upstreams cannot be used; the previous ones still are.', {
        faults: error.faults,
      });
    }
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

  private apply(isForced: boolean): Pick<Reload, 'changes' | 'needsRestart' | 'faults'> {
    const next = this.read();
    if (Array.isArray(next)) return { changes: [], needsRestart: [], faults: next };
    const changes = configChanges(this.settings, next);
    const removed = changes.filter(({ file, change }) => file === 'models.yaml' && change === 'removed').length;
    const all = this.settings.models.length;
    if (!isForced && removed * 2 > all) {
      const problem = `would remove ${removed} of ${all} models; if that is intended, run \`gateway config:reload --force\``;
      const file = join(this.settings.configDir, 'models.yaml');
      return { changes: [], needsRestart: [], faults: [{ file, line: null, model: null, key: 'the file', problem }] };
    }
    // Replaced in one step: new models never use old upstreams. Callers read the settings at each use.
    if (changes.length > 0) {
      Object.assign(this.settings, pick(next, RELOADED), { origins: origins(this.settings, next) });
      this.stamps = null;
    }
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

/** Changes with the content of a file, also if a link to it is replaced. */
async function stampOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => null);
  return found === null ? 'missing' : `${found.ino} ${found.size} ${found.mtimeNs}`;
}

function pick<Whole extends object, Key extends keyof Whole>(whole: Whole, keys: readonly Key[]): Pick<Whole, Key> {
  return Object.fromEntries(keys.map((key) => [key, whole[key]])) as Pick<Whole, Key>;
}

/** The file as it applies now: settings that need a restart keep the values that they had at the start. */
function origins({ origins: now }: Settings, { origins: next }: Settings): Settings['origins'] {
  const { path, content } = now.gatewayFile;
  const read = Object(next.gatewayFile.content);
  const stored = Object.entries(Object(content)).filter(([name]) => !SECTIONS.some((section) => section === name));
  const renewed = SECTIONS.filter((name) => name in read).map((name) => [name, read[name]]);
  const { secretFiles, readSecretsAgain } = next;
  return {
    ...now,
    secretFiles,
    readSecretsAgain,
    gatewayFile: { path, content: Object.fromEntries([...stored, ...renewed]) },
  };
}

/** The settings that can change while the gateway runs; others need a restart. */
const RELOADED = [
  'models',
  'upstreams',
  'retry',
  'routing',
  'unsupported',
  'contentLogKeys',
  'alerts',
  'guards',
  'guardsForAll',
  'guardSettings',
] as const;

/** The keys of gateway.yaml that can change while the gateway runs. */
const SECTIONS = ['retry', 'routing', 'unsupported', 'guards', 'guardsForAll'] as const;

/** One difference between two configurations. */
interface ConfigChange {
  /** `environment`: `.env`, or a file that a variable names. */
  readonly file: 'gateway.yaml' | 'upstreams.yaml' | 'models.yaml' | 'environment';
  /** A section, the name of an upstream, the id of a model or a variable. */
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
}

/** The differences between `next` and `now` in the settings that can change while the gateway runs. */
function configChanges(now: Settings, next: Settings): ConfigChange[] {
  const models = (settings: Settings) => new Map(settings.models.map((model) => [model.id, model]));
  const sections = SECTIONS.filter((name) => !isDeepStrictEqual(now[name], next[name]));
  return [
    ...sections.map((name): ConfigChange => ({ file: 'gateway.yaml', name, change: 'changed' })),
    ...differences(now.upstreams, next.upstreams).map((one): ConfigChange => ({ file: 'upstreams.yaml', ...one })),
    ...differences(models(now), models(next)).map((one): ConfigChange => ({ file: 'models.yaml', ...one })),
    ...orderChange(now, next),
    ...variableChanges(now, next),
  ];
}

function variableChanges(now: Settings, next: Settings): ConfigChange[] {
  const values = ({ contentLogKeys, alerts }: Settings) =>
    new Map<string, unknown>([
      ['CONTENT_LOG_KEY', contentLogKeys],
      ['ALERT_WEBHOOK_URL', alerts?.url],
      ['ALERT_WEBHOOK_SECRET', alerts?.secret],
    ]);
  return differences(values(now), values(next)).map((one): ConfigChange => ({ file: 'environment', ...one }));
}

/** The sections of gateway.yaml that differ and need a restart. */
function restartNeeds(now: Settings, next: Settings): string[] {
  return GATEWAY_SECTIONS.filter(
    (name) => !SECTIONS.some((section) => section === name) && !isDeepStrictEqual(now[name], next[name]),
  );
}

function differences(
  now: ReadonlyMap<string, unknown>,
  next: ReadonlyMap<string, unknown>,
): Pick<ConfigChange, 'name' | 'change'>[] {
  const names = [...new Set([...now.keys(), ...next.keys()])];
  return names.flatMap((name): Pick<ConfigChange, 'name' | 'change'>[] => {
    if (!now.has(name)) return [{ name, change: 'added' }];
    if (!next.has(name)) return [{ name, change: 'removed' }];
    return isDeepStrictEqual(now.get(name), next.get(name)) ? [] : [{ name, change: 'changed' }];
  });
}

/** Models are listed in the order of their file. */
function orderChange(now: Settings, next: Settings): ConfigChange[] {
  const ids = ({ models }: Settings) => models.map(({ id }) => id);
  const isReordered = !isDeepStrictEqual(ids(now), ids(next)) && isDeepStrictEqual(ids(now).sort(), ids(next).sort());
  return isReordered ? [{ file: 'models.yaml', name: 'order', change: 'changed' }] : [];
}
