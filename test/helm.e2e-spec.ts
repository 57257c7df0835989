import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { gatewayFile } from '../src/config/gateway.settings.js';
import { findProgram } from './support/program.js';

const program = findProgram('helm', 'TEST_HELM');
const CHART = 'deploy/helm/chat-completion-gateway';
const run = promisify(execFile);

interface Resource {
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a shape of its own, which the cluster knows
  spec: any;
  data: Record<string, string>;
}

(program ? describe : describe.skip)('the Helm chart', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-helm-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const helm = (...args: string[]) =>
    run(program ?? '', args, { env: { ...process.env, HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder } });

  async function render(values: object = {}): Promise<Resource[]> {
    const file = join(folder, 'values.json');
    await writeFile(file, JSON.stringify({ existingSecret: 'gateway-secret', ...values }));
    const { stdout } = await helm('template', 'ours', CHART, '--namespace', 'ai', '--values', file);
    return parseAllDocuments(stdout).map((document) => document.toJS() as Resource);
  }

  const find = (resources: readonly Resource[], kind: string): Resource => {
    const found = resources.find((resource) => resource.kind === kind);
    if (!found) throw new Error(`there is no ${kind}`);
    return found;
  };
  const container = (resources: readonly Resource[]) => find(resources, 'Deployment').spec.template.spec.containers[0];

  it('passes the checks of Helm', async () => {
    const { stdout } = await helm('lint', '--strict', CHART, '--set', 'existingSecret=s');
    expect(stdout).toContain('0 chart(s) failed');
  });

  it('has the version of the gateway', async () => {
    const { version, appVersion } = parse(await readFile(join(CHART, 'Chart.yaml'), 'utf8'));
    const { version: ours } = JSON.parse(await readFile('package.json', 'utf8'));
    expect({ version, appVersion }).toEqual({ version: ours, appVersion: ours });
  });

  it('takes its secrets from an existing Secret, and fails if none is named', async () => {
    const resources = await render();
    expect(container(resources).envFrom).toEqual([{ secretRef: { name: 'gateway-secret' } }]);
    expect(resources.map(({ kind }) => kind)).not.toContain('Secret');
    await expect(render({ existingSecret: '' })).rejects.toThrow('existingSecret is required');
  });

  it('creates only the needed resources', async () => {
    const kinds = (resources: readonly Resource[]) => resources.map(({ kind }) => kind).sort();
    const usual = ['ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'NetworkPolicy', 'PodDisruptionBudget'];
    const always = [...usual, 'Service', 'Service', 'ServiceAccount'];
    expect(kinds(await render())).toEqual(always);
    const all = { metrics: { serviceMonitor: { enabled: true } }, ingress: { enabled: true } };
    expect(kinds(await render(all))).toEqual([...always, 'Ingress', 'ServiceMonitor'].sort());
    const off = { enabled: false };
    const none = { autoscaling: off, podDisruptionBudget: off, networkPolicy: off };
    expect(kinds(await render(none))).toEqual(['ConfigMap', 'Deployment', 'Service', 'Service', 'ServiceAccount']);
  });

  it('runs as the user of the image, on a read-only root, without privileges', async () => {
    const resources = await render();
    const { spec } = find(resources, 'Deployment').spec.template;
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container(resources).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const [init] = spec.initContainers;
    expect(init.securityContext).toEqual(container(resources).securityContext);
    const writable = ['/tmp', '/data'];
    const mounts = container(resources).volumeMounts as { name: string; mountPath: string; readOnly?: boolean }[];
    expect(mounts.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath)).toEqual(writable);
  });

  it('probes readiness and liveness at existing ports', async () => {
    const { ports, startupProbe, readinessProbe, livenessProbe } = container(await render());
    expect(ports).toEqual([
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: 9464 },
    ]);
    expect(readinessProbe.httpGet).toEqual({ path: '/health/ready', port: 'http' });
    expect(startupProbe.httpGet).toEqual({ path: '/health/ready', port: 'http' });
    expect(livenessProbe.httpGet).toEqual({ path: '/health/live', port: 'http' });
  });

  it('gives the gateway a valid configuration and enough time to shut down', async () => {
    const resources = await render();
    const { shutdown } = gatewayFile.parse(parse(find(resources, 'ConfigMap').data['gateway.yaml'] ?? ''));
    const { terminationGracePeriodSeconds } = find(resources, 'Deployment').spec.template.spec;
    expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(shutdown.drainDelay + shutdown.deadline + 25_000);
    expect(shutdown.drainDelay).toBeGreaterThan(0);
  });

  it('accepts a custom catalog whose changes pods see, and restarts pods when gateway.yaml changes', async () => {
    const models = 'models: []\n# ours: {{ not a template }}\n';
    const resources = await render({ models });
    expect(find(resources, 'ConfigMap').data['models.yaml']).toBe(models);
    const { volumeMounts } = container(resources);
    // A file that is mounted by `subPath` stays as it was when the pod started.
    expect(volumeMounts.filter((mount: object) => 'subPath' in mount)).toEqual([]);
    const pod = (all: readonly Resource[]) => find(all, 'Deployment').spec.template;
    const others = await render({ models: 'models: []\n# others\n' });
    expect(pod(others)).toEqual(pod(resources));
    expect(pod(await render())).not.toEqual(pod(resources));
    const gateway = { shutdown: { drainDelay: '20s', deadline: '60s' } };
    expect(pod(await render({ models, gateway }))).not.toEqual(pod(resources));
  });

  it('mounts the files of the cluster where the gateway reads them; other files are those of the image', async () => {
    const at = async (path: string, files: Record<string, string>) => {
      await mkdir(join(folder, path), { recursive: true });
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, path, name), text);
    };
    await at('app', { 'gateway.yaml': 'image', 'models.yaml': 'image' });
    await at('cluster', { 'gateway.yaml': 'cluster' });
    await at('files', {});
    const [{ command }] = find(await render(), 'Deployment').spec.template.spec.initContainers;
    const [shell, ...words] = command as string[];
    const here = words.map((word) =>
      word.replace('/app/config/', `${folder}/app/`).replace(/ \/(files|cluster)\//g, ` ${folder}/$1/`),
    );
    await run(shell ?? '', here);
    await at('cluster', { 'gateway.yaml': 'changed' });
    const read = (name: string) => readFile(join(folder, 'files', name), 'utf8');
    expect([await read('gateway.yaml'), await read('models.yaml')]).toEqual(['changed', 'image']);
  });

  it('requests the resources that its workers need, and limits its storage', async () => {
    const resources = await render({ workers: 4 });
    expect(container(resources).env).toContainEqual({ name: 'WORKERS', value: '4' });
    expect(container(resources).resources).toEqual({
      requests: { cpu: '4000m', memory: '2048Mi' },
      limits: { memory: '8Gi' },
    });
    const { volumes } = find(resources, 'Deployment').spec.template.spec;
    for (const { emptyDir } of volumes) if (emptyDir) expect(emptyDir.sizeLimit).toMatch(/^\d+[MG]i$/);
    const own = { limits: { memory: '3Gi' } };
    expect(container(await render({ resources: own })).resources).toEqual(own);
  });

  it('mounts more volumes', async () => {
    const resources = await render({
      extraVolumes: [{ name: 'passwords', secret: { secretName: 'passwords' } }],
      extraVolumeMounts: [{ name: 'passwords', mountPath: '/passwords', readOnly: true }],
    });
    expect(container(resources).volumeMounts.at(-1)).toMatchObject({ name: 'passwords', mountPath: '/passwords' });
    const { volumes } = find(resources, 'Deployment').spec.template.spec;
    expect(volumes.at(-1)).toEqual({ name: 'passwords', secret: { secretName: 'passwords' } });
  });

  it('refuses values with which its pods could need more connections than Postgres grants', async () => {
    await expect(render({ databaseConnections: 100 })).rejects.toThrow('220 database connections are needed at most');
    await render({ databaseConnections: 100, autoscaling: { maxReplicas: 4 } });
    await render({ databaseConnections: 100, autoscaling: { enabled: false }, replicas: 4 });
  });

  it('has an annotation of the Secret, so that an upgrade restarts the pods after a change of it', async () => {
    const { annotations } = find(await render(), 'Deployment').spec.template.metadata;
    expect(annotations['checksum/secret']).toMatch(/^[0-9a-f]{64}$/);
  });

  it('selects only its own pods', async () => {
    const resources = await render({ metrics: { serviceMonitor: { enabled: true } } });
    const own = { 'app.kubernetes.io/name': 'chat-completion-gateway', 'app.kubernetes.io/instance': 'ours' };
    const deployment = find(resources, 'Deployment');
    expect(deployment.spec.template.metadata.labels).toMatchObject(own);
    expect(deployment.spec.selector.matchLabels).toEqual(own);
    expect(find(resources, 'PodDisruptionBudget').spec.selector.matchLabels).toEqual(own);
    expect(find(resources, 'NetworkPolicy').spec.podSelector.matchLabels).toEqual(own);
    for (const { kind, spec } of resources) if (kind === 'Service') expect(spec.selector).toEqual(own);
    const monitored = find(resources, 'ServiceMonitor').spec.selector.matchLabels;
    const metrics = resources.filter(({ kind, metadata }) => kind === 'Service' && metadata.name.endsWith('-metrics'));
    expect(metrics.map(({ metadata }) => metadata.labels)).toEqual([expect.objectContaining(monitored)]);
    expect(find(resources, 'HorizontalPodAutoscaler').spec.scaleTargetRef.name).toBe(deployment.metadata.name);
    expect(deployment.spec).not.toHaveProperty('replicas');
  });

  it('admits the configured peers, and allows DNS, Postgres and HTTPS', async () => {
    const peer = { podSelector: { matchLabels: { app: 'chat' } } };
    const { spec } = find(await render({ networkPolicy: { callers: [peer], databasePort: 6432 } }), 'NetworkPolicy');
    expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(spec.ingress[0]).toEqual({ ports: [{ port: 'http', protocol: 'TCP' }], from: [peer] });
    expect(spec.egress[0].ports.map(({ port }: { port: number }) => port)).toEqual([53, 53, 6432, 443]);
  });

  it.each([
    ['http://collector:4318', 4318],
    ['http://collector/v1', 80],
    ['https://traces.example.com:4319/otlp', 4319],
  ])('allows traces to %s', async (otlpEndpoint, port) => {
    const resources = await render({ otlpEndpoint });
    expect(container(resources).env).toContainEqual({ name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: otlpEndpoint });
    const ports = find(resources, 'NetworkPolicy').spec.egress[0].ports as { port: number }[];
    expect(ports.at(-1)).toEqual({ port, protocol: 'TCP' });
  });
});
