import { ScriptedUpstream } from './scripted-upstream.js';
import { TestGateway, type TestGatewayOptions, type TestUser } from './test-gateway.js';

export interface RoutingTestOptions {
  /** config/gateway.yaml */
  settings?: string;
  /** Additional fields of each model. */
  models: Readonly<Record<string, string>>;
  /** Each upstream's name with its server and additional fields. */
  upstreams: Readonly<Record<string, readonly [server: 'a' | 'b' | 'c', fields?: string]>>;
  env?: TestGatewayOptions['env'];
}

/** A gateway with three scripted upstreams, `a`, `b` and `c`, each under as many names as a test needs. */
export class RoutingTest {
  private constructor(
    readonly gateway: TestGateway,
    readonly user: TestUser,
    readonly a: ScriptedUpstream,
    readonly b: ScriptedUpstream,
    readonly c: ScriptedUpstream,
  ) {}

  static async start({ settings = '', models, upstreams, env = {} }: RoutingTestOptions): Promise<RoutingTest> {
    const servers = {
      a: await ScriptedUpstream.start(),
      b: await ScriptedUpstream.start(),
      c: await ScriptedUpstream.start(),
    };
    const gateway = await TestGateway.start({
      env,
      config: {
        'gateway.yaml': settings,
        'models.yaml': modelsFile(models),
        'upstreams.yaml': upstreamsFile(upstreams, env, (letter) => servers[letter].url),
      },
    });
    return new RoutingTest(gateway, await gateway.createUser(), servers.a, servers.b, servers.c);
  }

  ask(model: string, fields: object = {}, user = this.user): Promise<Response> {
    return this.gateway.complete(user, { model, messages: [{ role: 'user', content: 'Say hello.' }], ...fields });
  }

  /** The ledger's row of an ended call. */
  async row(response: Response): Promise<Record<string, unknown>> {
    const rows = await this.gateway.database.query<Record<string, unknown>>(
      'SELECT * FROM usage_calls WHERE request_id = $1',
      [response.headers.get('x-request-id')],
    );
    return rows[0] ?? {};
  }
}

/** A catalog of free models. */
export function modelsFile(models: RoutingTestOptions['models']): string {
  return Object.entries(models)
    .map(
      ([id, fields]) =>
        `- { id: ${id}, tier: free, displayName: ${id}, description: D, contextLength: 1000, ${fields} }\n`,
    )
    .join('');
}

/** Upstreams of OpenAI's protocol, without a key unless the environment has one. */
function upstreamsFile(
  upstreams: RoutingTestOptions['upstreams'],
  env: NodeJS.ProcessEnv,
  urlOf: (letter: 'a' | 'b' | 'c') => string,
): string {
  const variables = Object.keys(env);
  return Object.entries(upstreams)
    .map(([name, [letter, fields = '']]) => {
      const protocol = fields.includes('protocol:') ? '' : 'protocol: openai, ';
      const hasKey = variables.some((variable) =>
        variable.startsWith(`${name.toUpperCase().replaceAll('-', '_')}_API_KEY`),
      );
      return `${name}: { ${protocol}baseUrl: "${urlOf(letter)}/v1", ${hasKey ? '' : 'auth: none, '}${fields} }\n`;
    })
    .join('');
}
