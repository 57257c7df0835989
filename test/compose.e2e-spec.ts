import { access, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

interface Service {
  profiles?: string[];
  environment?: Record<string, string>;
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
    expect(named('scale').map(([name]) => name)).toEqual(['gateway-2', 'gateway-3', 'proxy', 'prometheus', 'grafana']);
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
    expect(balanced).toEqual(gateways.map(([name, { environment }]) => `${name}:${environment?.PORT}`));
  });

  it('share no data folder', () => {
    expect(gateways).toHaveLength(3);
    expect(gateways.filter(([, { volumes = [] }]) => volumes.some((volume) => volume.endsWith(':/data')))).toHaveLength(
      1,
    );
  });
});
