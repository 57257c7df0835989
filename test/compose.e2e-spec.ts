import { access, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

interface Service {
  profiles?: string[];
  environment?: Record<string, string>;
  command?: string[];
  volumes?: string[];
  ports?: string[];
  read_only?: boolean;
  user?: string;
}

const read = (file: string): Promise<string> => readFile(file, 'utf8');
const compose = parse(await read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };
const services = Object.entries(compose.services);
const gateways = services.filter(([name]) => /^gateway(-\d)?$/.test(name));

describe('docker-compose.yml', () => {
  it('is a file of the Compose Specification', async () => {
    const schema = JSON.parse(await read('test/support/schemas/compose-spec.json')) as object;
    const validate = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
    validate(compose);
    expect(validate.errors).toBeNull();
  });

  it('starts one gateway and its database, and the other services with the profile scale', () => {
    const named = (profile?: string) => services.filter(([, { profiles }]) => profiles?.[0] === profile);
    expect(named().map(([name]) => name)).toEqual(['gateway', 'postgres']);
    const monitoring = ['prometheus', 'alertmanager', 'grafana'];
    expect(named('scale').map(([name]) => name)).toEqual(['gateway-2', 'gateway-3', 'proxy', ...monitoring]);
  });

  it('runs every service on a read-only root, and publishes none beyond the configured address', () => {
    for (const [, service] of services) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
      for (const port of service.ports ?? []) expect(port).toMatch(/^\$\{GATEWAY_ADDRESS:-127\.0\.0\.1\}:/);
    }
  });

  it('mounts only files that exist', async () => {
    const mounted = services.flatMap(([, { volumes = [] }]) => volumes).filter((volume) => volume.startsWith('./'));
    for (const volume of mounted) {
      await expect(access(volume.split(':')[0] ?? '')).resolves.toBeUndefined();
    }
  });
});

describe('the services of the profile scale', () => {
  it('know all gateways', async () => {
    const nginx = await read('deploy/nginx/gateway.conf');
    const prometheus = parse(await read('deploy/prometheus/prometheus.yml'));
    const metricsPorts = gateways.map(([name, { environment }]) => `${name}:${environment?.METRICS_PORT}`);
    expect(prometheus.scrape_configs[0].static_configs[0].targets).toEqual(metricsPorts);
    const balanced = [...nginx.matchAll(/^ +server ([\w.-]+:\d+) /gm)].map(([, server]) => server);
    const each = gateways.map(([name, { environment }]) => `${name}:${environment?.PORT}`);
    expect(balanced).toEqual([...each, ...each]);
  });

  it('each have a data folder on a volume, as the journal is in it', () => {
    const folders = gateways.map(([, { volumes = [] }]) => volumes.find((volume) => volume.endsWith(':/data')));
    expect(folders).toEqual(['gateway-data:/data', 'gateway-2-data:/data', 'gateway-3-data:/data']);
  });

  it('get enough connections to Postgres for eight workers each', () => {
    const [, most] =
      /max_connections=\$\{POSTGRES_MAX_CONNECTIONS:-(\d+)\}/.exec(
        `${services.find(([name]) => name === 'postgres')?.[1].command}`,
      ) ?? [];
    expect(Number(most)).toBeGreaterThanOrEqual(gateways.length * 8 * 20);
  });

  it('are found anew by nginx when their addresses change', async () => {
    const nginx = await read('deploy/nginx/gateway.conf');
    expect(nginx.match(/^ +server gateway(-\d)?:8080 resolve /gm)).toHaveLength(2 * gateways.length);
    expect(nginx).toMatch(/^ +resolver 127\.0\.0\.11 /m);
    expect(nginx).toMatch(/^ +zone gateways /m);
  });

  it('report alerts to an Alertmanager that has a receiver', async () => {
    const { alerting } = parse(await read('deploy/prometheus/prometheus.yml'));
    expect(alerting.alertmanagers[0].static_configs[0].targets).toEqual(['alertmanager:9093']);
    const { route, receivers } = parse(await read('deploy/alertmanager/alertmanager.yml'));
    expect(receivers.map(({ name }: { name: string }) => name)).toEqual([route.receiver]);
  });
});
