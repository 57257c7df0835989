import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import { joinUrl } from '../../client/upstream.client.js';
import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { openAiAdapter } from '../openai/openai.adapter.js';
import { azureDialect } from './azure.dialect.js';

const adapter = openAiAdapter(azureDialect);
const resource = 'https://name.openai.azure.com';

function callOf(apiVersion?: string, request: Partial<ChatCompletionRequest> = {}): ProviderCall {
  return {
    ...providerCall({ messages: [{ role: 'user', content: 'Hello' }], ...request }),
    upstreamModel: 'my model/1',
    settings: { ...(apiVersion !== undefined && { apiVersion }) },
  };
}

describe('a request to Azure', () => {
  it.each([
    [undefined, '/openai/v1/chat/completions'],
    ['v1', '/openai/v1/chat/completions'],
    ['preview', '/openai/v1/chat/completions?api-version=preview'],
    ['2024-10-21', '/openai/deployments/my%20model%2F1/chat/completions?api-version=2024-10-21'],
    ['2025-04-01-preview', '/openai/deployments/my%20model%2F1/chat/completions?api-version=2025-04-01-preview'],
  ])('a request to Azure of version %s is sent to its API', (apiVersion, path) => {
    const { path: found, body } = adapter.toRequest(callOf(apiVersion));
    expect(found).toBe(path);
    expect(body.model).toBe('my model/1');
  });

  it.each([
    [resource, 'v1'],
    [`${resource}/openai/v1`, 'v1'],
    [resource, '2024-10-21'],
    [`${resource}/openai`, '2024-10-21'],
  ])('works with any form of the base URL: %s, %s', (baseUrl, apiVersion) => {
    const { path } = adapter.toRequest(callOf(apiVersion));
    expect(joinUrl(baseUrl, path)).toBe(resource + path);
  });

  it('sends its key in its own header', () => {
    expect(adapter.auth).toMatchObject({ kind: 'header', header: 'api-key' });
  });

  it.each([undefined, 'v1', '2024-09-01-preview', '2024-10-21'])(
    'a request to Azure of version %s requests usage',
    (apiVersion) => {
      const { body } = adapter.toRequest(callOf(apiVersion, { stream: true, max_tokens: 5 }));
      expect(body).toMatchObject({ stream_options: { include_usage: true }, max_completion_tokens: 5 });
      expect(body).not.toHaveProperty('max_tokens');
    },
  );

  it.each(['2024-02-01', '2024-08-01-preview'])(
    'a request to Azure of version %s has no newer fields',
    (apiVersion) => {
      const { body } = adapter.toRequest(callOf(apiVersion, { stream: true, max_tokens: 5 }));
      expect(body).not.toHaveProperty('stream_options');
      expect(body).not.toHaveProperty('max_completion_tokens');
      expect(body.max_tokens).toBe(5);
      const { body: newer } = adapter.toRequest(callOf(apiVersion, { max_completion_tokens: 5 }));
      expect(newer).toMatchObject({ max_completion_tokens: 5 });
      expect(newer).not.toHaveProperty('max_tokens');
    },
  );

  it('has all fields that Azure accepts, and no fields that fetch data by URL', () => {
    const known = { store: true, verbosity: 'low', metadata: { a: 'b' }, prompt_cache_key: 'k', seed: 1 };
    const { body } = adapter.toRequest(
      callOf('v1', { ...known, made_up: 1, data_sources: [], web_search_options: {} }),
    );
    expect(Object.keys(body).sort()).toEqual(['messages', 'model', 'stream', ...Object.keys(known)].sort());
  });
});

describe('an error of Azure', () => {
  it('an error of Azure by its content filter names the messages', () => {
    const body = { error: { message: 'Filtered.', type: null, param: 'prompt', code: 'content_filter', status: 400 } };
    expect(adapter.toError(400, {}, body, callOf()).body).toMatchObject({ code: 'content_filter', param: 'messages' });
  });

  it.each([
    [404, 'DeploymentNotFound'],
    [400, 'OperationNotSupported'],
    [401, '401'],
  ])("about the gateway's configuration is not the caller's fault: %i %s", (status, code) => {
    const error = adapter.toError(status, {}, { error: { code, message: 'No.' } }, callOf());
    expect(error).toMatchObject({ status: 502, advice: 'other-target' });
  });
});
