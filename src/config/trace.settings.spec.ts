import { describe, expect, it } from '@jest/globals';
import { Environment } from './environment.js';
import { readTraces } from './environment.settings.js';

function read(variables: Record<string, string>) {
  const environment = new Environment(variables, '/nowhere', []);
  return { traces: readTraces(environment, environment.read('OTEL_EXPORTER_OTLP_ENDPOINT')), ...environment };
}

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318';

describe('the endpoint for traces', () => {
  it('is not set by default', () => {
    expect(read({ OTEL_SERVICE_NAME: 'x' }).traces).toBeNull();
  });

  it('is the traces path below the endpoint', () => {
    const url = 'http://collector:4318/v1/traces';
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT }).traces).toEqual({
      url,
      headers: {},
      serviceName: 'chat-completion-gateway',
      ratio: 1,
    });
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: `${OTEL_EXPORTER_OTLP_ENDPOINT}/` }).traces?.url).toBe(url);
  });

  it('has headers, percent-encoded as specified', () => {
    const OTEL_EXPORTER_OTLP_HEADERS = ' api-key=a%2Cb= , x-tenant=t';
    const { traces } = read({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS });
    expect(traces?.headers).toEqual({ 'api-key': 'a,b=', 'x-tenant': 't' });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a b=c'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
  ])('reports the mistake in %s: %s', (name, value) => {
    const { faults } = read({ OTEL_EXPORTER_OTLP_ENDPOINT, [name]: value });
    expect(faults).toMatchObject([{ file: 'environment', key: name, problem: expect.not.stringContaining(value) }]);
  });
});
