import { rmSync } from 'node:fs';
import path from 'node:path';
import { benchFolder } from './bench-folder.ts';
import { Child } from './child.ts';
import { launchGateway, newKey, newLimitedKey } from './gateway.ts';
import type { Driver, Target } from './measure.ts';
import type { Options } from './options.ts';
import { findPinning, type Pinning, pin } from './pinning.ts';

/** Everything that runs during a measurement. */
export interface Setting {
  gateway: Target;
  proxy: Target;
  driver: Driver;
  pinning: Pinning | null;
  stop(): Promise<void>;
}

/** Starts upstream, proxy, gateway and load generator; stops them all if one fails to start, and on a signal. */
export async function prepare({ paceMs, pin: isPinned }: Options, variables: NodeJS.ProcessEnv = {}): Promise<Setting> {
  const folder = benchFolder();
  const children: Child[] = [];
  const start = (script: string, env: NodeJS.ProcessEnv = {}): Child => {
    const child = new Child(path.join(import.meta.dirname, script), { env: { ...process.env, ...env } });
    children.push(child);
    return child;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(children.map((child) => child.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().then(() => process.exit(1)));
  }
  try {
    const load = start('load.ts');
    const upstream = start('upstream.ts', { BENCH_PACE_MS: String(paceMs) });
    const upstreamUrl = `http://127.0.0.1:${await upstream.ask<number>('port')}`;
    const proxy = start('bare-proxy.ts', { BENCH_UPSTREAM: upstreamUrl });
    const proxyPort = await proxy.ask<number>('port');
    const gateway = await launchGateway(folder, upstreamUrl, variables);
    children.push(gateway.child);
    const keys = { key: await newKey(gateway), limitedKey: await newLimitedKey(gateway) };
    const pinning = isPinned ? findPinning() : null;
    if (pinning) {
      for (const { pid } of [proxy, gateway.child]) pin(pid, pinning.servers);
      for (const { pid } of [load, upstream]) pin(pid, pinning.load);
    }
    return {
      gateway: { name: 'gateway', child: gateway.child, port: gateway.port, ...keys },
      proxy: { name: 'proxy', child: proxy, port: proxyPort, ...keys },
      driver: { load, upstream },
      pinning,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
