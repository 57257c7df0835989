import { type Json, javaScriptLiteral, pythonLiteral, SNIPPET_APIS, type SnippetApi } from './snippet-api';

export interface SnippetRequest {
  readonly model: string;
  readonly stream?: boolean | null;
  readonly [field: string]: unknown;
}

export interface RequestSnippet {
  readonly id: 'curl' | 'python' | 'node';
  readonly name: string;
  /**
   * The program that sends the request; without a key it takes one from the environment. `baseUrl` ends with `/v1`. The
   * request is in the format of `api`, by default of Chat Completions.
   */
  readonly toCode: (baseUrl: string, request: SnippetRequest, apiKey?: string, api?: SnippetApi) => string;
}

/** A body of at most this many characters stays on one line. */
const SHORT_BODY = 120;
const [CHAT] = SNIPPET_APIS as readonly [SnippetApi];

/** A whole request in each language. */
export const REQUEST_SNIPPETS: readonly RequestSnippet[] = [
  { id: 'curl', name: 'curl', toCode: toCurl },
  { id: 'python', name: 'Python', toCode: toPython },
  { id: 'node', name: 'Node', toCode: toNode },
];

function toCurl(baseUrl: string, request: SnippetRequest, apiKey?: string, api: SnippetApi = CHAT): string {
  const short = JSON.stringify(request);
  const body = short.length <= SHORT_BODY ? short : JSON.stringify(request, null, 2);
  const headers = [...api.headers(apiKey ?? `$${api.keyVariable}`), 'Content-Type: application/json'];
  return `curl ${request.stream ? '-N ' : ''}${baseUrl}${api.path} \\
${headers.map((header) => `  -H "${header}" \\\n`).join('')}  -d '${body.replaceAll("'", "'\\''")}'
`;
}

function toPython(baseUrl: string, request: SnippetRequest, apiKey?: string, api: SnippetApi = CHAT): string {
  const { python: program, keyVariable } = api;
  const fields = fieldsOf(request).map(([name, value]) => `    ${name}=${pythonLiteral(value, 1)},\n`);
  return `# pip install ${program.package}
${apiKey ? '' : 'import os\n\n'}${program.import}

client = ${program.client}(
    base_url=${JSON.stringify(clientUrl(baseUrl, api))},
    api_key=${apiKey ? JSON.stringify(apiKey) : `os.environ["${keyVariable}"]`},
)

answer = client.${program.call}(
${fields.join('')})
${request.stream ? program.printStream : program.print}
`;
}

function toNode(baseUrl: string, request: SnippetRequest, apiKey?: string, api: SnippetApi = CHAT): string {
  const { node: program, keyVariable } = api;
  const fields = fieldsOf(request).map(([name, value]) => `  ${name}: ${javaScriptLiteral(value, 1)},\n`);
  return `// npm install ${program.package}
${program.import}

const client = new ${program.client}({
  baseURL: ${javaScriptLiteral(clientUrl(baseUrl, api))},
  apiKey: ${apiKey ? javaScriptLiteral(apiKey) : `process.env.${keyVariable}`},
});

const answer = await client.${program.call}({
${fields.join('')}});
${request.stream ? program.printStream : program.print}
`;
}

function clientUrl(baseUrl: string, { hasShortBase }: SnippetApi): string {
  return hasShortBase ? baseUrl.replace(/\/v1$/, '') : baseUrl;
}

function fieldsOf(request: SnippetRequest): [string, Json][] {
  return Object.entries(JSON.parse(JSON.stringify(request)) as Record<string, Json>);
}
