import { type FSWatcher, watch } from 'node:fs';
import { hostname } from 'node:os';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { faultText } from '../config/config-file.js';
import { ConfigReloadService } from '../config/config-reload.service.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { ConfigChangedService } from '../database/changes.service.js';

/** Editors write a file in several steps. */
const SETTLED_MS = 200;
/** Changed secrets take effect within ten seconds. */
const SECRETS_LOOK_MS = 4000;

/**
 * Triggers a reload of the configuration: SIGHUP to the first process, which notifies its workers; the command line,
 * which notifies every gateway on the database; or changed files, if gateway.yaml says so.
 */
@Injectable()
export class ReloadTriggersService implements OnApplicationBootstrap {
  private readonly logger = new Logger('Configuration');
  private watcher: FSWatcher | undefined;
  private timer: NodeJS.Timeout | undefined;
  private secrets: NodeJS.Timeout | undefined;

  constructor(
    private readonly reloads: ConfigReloadService,
    private readonly others: ConfigChangedService,
    @InjectSettings() private readonly settings: Settings,
  ) {
    others.listen(({ family, isForced }) => {
      if (family !== null && family !== familyOf(process.ppid)) return null;
      const { faults } = this.reloads.reload(family === null ? 'command' : 'signal', isForced);
      return faults.length > 0 ? faults.map(faultText).join('\n') : null;
    });
  }

  onApplicationBootstrap(): void {
    // In a terminal, SIGHUP means that the terminal was closed.
    if (!process.stdout.isTTY) process.on('SIGHUP', this.onSignal);
    if (this.settings.reload === 'watch') this.watchFiles();
    void this.rereadSecrets();
    this.secrets = setInterval(() => this.rereadSecrets(), SECRETS_LOOK_MS).unref();
  }

  beforeApplicationShutdown(): void {
    process.off('SIGHUP', this.onSignal);
    this.watcher?.close();
    clearTimeout(this.timer);
    clearInterval(this.secrets);
  }

  private async rereadSecrets(): Promise<void> {
    await this.reloads.rereadSecrets().catch((error) => {
      this.logger.error(`The secrets of upstreams cannot be read again: ${error}`);
    });
  }

  private readonly onSignal = (): void => {
    this.reloads.reload('signal');
    if (this.settings.workers === 1) return;
    this.others.tellFamily(familyOf(process.pid)).catch((error) => {
      this.logger.error('The workers could not be notified to reload the configuration.', { reason: String(error) });
    });
  };

  private watchFiles(): void {
    this.watcher = watch(this.settings.configDir, () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.reloads.reload('files'), SETTLED_MS);
    });
    this.watcher.on('error', (error) =>
      this.logger.error(`The configuration files cannot be watched: ${error.message}`),
    );
  }
}

/** Identifies a process and its children. */
function familyOf(pid: number): string {
  return `${hostname()} ${pid}`;
}
