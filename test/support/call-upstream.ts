import { UpstreamClient } from '../../src/upstreams/client/upstream.client.js';
import { UpstreamError } from '../../src/upstreams/contract/upstream.error.js';
import { outbound, textOf } from './outbound.js';

// Makes one upstream call in its own process: `call-upstream.ts URL PROXY-SETTINGS` prints the outcome as JSON.
const [url = '', proxy = '{}'] = process.argv.slice(2);
const client = new UpstreamClient(JSON.parse(proxy));
try {
  console.log(JSON.stringify({ text: await textOf(client.send(outbound(url))) }));
} catch (error) {
  if (!(error instanceof UpstreamError)) throw error;
  console.log(JSON.stringify({ status: error.failure.status, code: Object(error.cause).code }));
}
await client.onApplicationShutdown();
