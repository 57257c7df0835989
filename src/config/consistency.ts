import { z } from 'zod';
import type { ConfigFile } from './config-file.js';
import type { GatewayFile } from './gateway.settings.js';
import type { Fault } from './settings.error.js';
import type { UpstreamsFile } from './upstreams.settings.js';

/** The written values, in any format of the files. A default is lowered if a written value is less. */
const object = z.record(z.string(), z.unknown()).catch({});

const WITHIN_TOTAL = ['connect', 'head', 'firstEvent', 'idle'] as const;

/** Finds written values that contradict each other. */
export function consistencyFaults(gateway: ConfigFile<GatewayFile>, upstreams: ConfigFile<UpstreamsFile>): Fault[] {
  return [...lifetimeFaults(gateway), ...clockFaults(upstreams)];
}

function lifetimeFaults({ path, content, value }: ConfigFile<GatewayFile>): Fault[] {
  const written = object.parse(object.parse(content).keyPolicy);
  if (!value || written.defaultLifetime === undefined) return [];
  const { maxLifetime, defaultLifetime } = value.keyPolicy;
  if (maxLifetime === null || defaultLifetime <= maxLifetime) return [];
  return [{ file: path, key: 'keyPolicy.defaultLifetime', problem: 'must not be longer than keyPolicy.maxLifetime' }];
}

function clockFaults({ path, content, value }: ConfigFile<UpstreamsFile>): Fault[] {
  return Object.entries(value ?? {}).flatMap(([name, { clocks }]) => {
    const written = object.parse(object.parse(object.parse(content)[name]).clocks);
    if (written.total === undefined) return [];
    return WITHIN_TOTAL.filter((clock) => written[clock] !== undefined && clocks[clock] > clocks.total).map(
      (clock) => ({
        file: path,
        key: `${name}.clocks.${clock}`,
        problem: `must not be longer than ${name}.clocks.total`,
      }),
    );
  });
}
