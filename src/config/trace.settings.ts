import type { Environment } from './environment.js';

/** Where traces of calls are sent. */
export interface TraceSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The share of calls that are traced when the caller's trace does not decide. */
  readonly ratio: number;
}

/** OpenTelemetry's own variables. Null without an endpoint: nothing is traced. */
export function readTraces(environment: Environment, endpoint: string | undefined): TraceSettings | null {
  const headers = readHeaders(environment);
  const serviceName = environment.read('OTEL_SERVICE_NAME') ?? 'chat-completion-gateway';
  const ratio = readRatio(environment);
  if (endpoint === undefined) return null;
  return { url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, headers, serviceName, ratio };
}

/** `name=value,name=value`, percent-encoded. */
function readHeaders(environment: Environment): Record<string, string> {
  const text = environment.readSecret('OTEL_EXPORTER_OTLP_HEADERS');
  const pairs = (text ?? '').split(',').filter((pair) => pair.trim() !== '');
  try {
    return Object.fromEntries(pairs.map(toPair));
  } catch {
    environment.fault('OTEL_EXPORTER_OTLP_HEADERS', 'must be a list such as name=value,name=value, percent-encoded');
    return {};
  }
}

function toPair(pair: string): [string, string] {
  const [name = '', ...rest] = pair.split('=');
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name.trim()) || rest.length === 0) throw new RangeError('no pair');
  return [name.trim(), decodeURIComponent(rest.join('=').trim())];
}

function readRatio(environment: Environment): number {
  const text = environment.read('OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const ratio = Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  environment.fault('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1');
  return 1;
}
