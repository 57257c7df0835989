import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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

  it('has no fault that Helm finds', async () => {
    const { stdout } = await helm('lint', '--strict', CHART, '--set', 'existingSecret=s');
    expect(stdout).toContain('0 chart(s) failed');
  });

  it('is of the version of the gateway', async () => {
    const { version, appVersion } = parse(await readFile(join(CHART, 'Chart.yaml'), 'utf8'));
    const { version: ours } = JSON.parse(await readFile('package.json', 'utf8'));
    expect({ version, appVersion }).toEqual({ version: ours, appVersion: ours });
  });

  it('has its secrets from a Secret that exists, and says so where none is named', async () => {
    const resources = await render();
    expect(container(resources).envFrom).toEqual([{ secretRef: { name: 'gateway-secret' } }]);
    expect(resources.map(({ kind }) => kind)).not.toContain('Secret');
    await expect(render({ existingSecret: '' })).rejects.toThrow('existingSecret is required');
  });

  it('makes what a cluster needs, and no more', async () => {
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

  it('runs as the user of the image, on a read-only root, with no rights', async () => {
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
    const writable = ['/tmp', '/data'];
    const mounts = container(resources).volumeMounts as { name: string; mountPath: string; readOnly?: boolean }[];
    expect(mounts.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath)).toEqual(writable);
  });

  it('asks whether the gateway is ready, and whether it runs, at ports that it has', async () => {
    const { ports, startupProbe, readinessProbe, livenessProbe } = container(await render());
    expect(ports).toEqual([
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: 9464 },
    ]);
    expect(readinessProbe.httpGet).toEqual({ path: '/health/ready', port: 'http' });
    expect(startupProbe.httpGet).toEqual({ path: '/health/ready', port: 'http' });
    expect(livenessProbe.httpGet).toEqual({ path: '/health/live', port: 'http' });
  });

  it('gives the gateway a configuration that it takes, and the time that it asks for', async () => {
    const resources = await render();
    const { shutdown } = gatewayFile.parse(parse(find(resources, 'ConfigMap').data['gateway.yaml'] ?? ''));
    const { terminationGracePeriodSeconds } = find(resources, 'Deployment').spec.template.spec;
    expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(shutdown.drainDelay + shutdown.deadline + 10_000);
    expect(shutdown.drainDelay).toBeGreaterThan(0);
  });

  it('takes a catalog of one’s own, and starts new pods when it changes', async () => {
    const models = 'models: []\n# ours: {{ not a template }}\n';
    const resources = await render({ models });
    expect(find(resources, 'ConfigMap').data['models.yaml']).toBe(models);
    expect(container(resources).volumeMounts).toContainEqual(
      expect.objectContaining({ mountPath: '/app/config/models.yaml', subPath: 'models.yaml' }),
    );
    const sum = (all: readonly Resource[]) =>
      find(all, 'Deployment').spec.template.metadata.annotations['checksum/config'];
    expect(sum(resources)).not.toBe(sum(await render()));
  });

  it('selects its own pods everywhere', async () => {
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

  it('lets in whom the values name, and out to names, Postgres and https', async () => {
    const peer = { podSelector: { matchLabels: { app: 'chat' } } };
    const { spec } = find(await render({ networkPolicy: { callers: [peer], databasePort: 6432 } }), 'NetworkPolicy');
    expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(spec.ingress[0]).toEqual({ ports: [{ port: 'http', protocol: 'TCP' }], from: [peer] });
    expect(spec.egress[0].ports.map(({ port }: { port: number }) => port)).toEqual([53, 53, 6432, 443]);
  });
});
