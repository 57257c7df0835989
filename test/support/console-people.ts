import { ConsoleClient } from './console-client.js';
import { TestGateway, type TestGatewayOptions } from './test-gateway.js';

/** A gateway with three people at its console. */
export interface ConsolePeople {
  gateway: TestGateway;
  admin: ConsoleClient;
  alice: ConsoleClient;
  bob: ConsoleClient;
}

/** Models are simulated. */
export async function startConsole(options: TestGatewayOptions = {}): Promise<ConsolePeople> {
  const gateway = await TestGateway.start({ ...options, env: { SIMULATOR: 'on', ...options.env } });
  const [admin, alice, bob] = await Promise.all([
    ConsoleClient.as(gateway, 'admin'),
    ConsoleClient.as(gateway, 'member'),
    ConsoleClient.as(gateway, 'member'),
  ]);
  return { gateway, admin, alice, bob };
}
