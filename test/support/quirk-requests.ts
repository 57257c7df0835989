/** What a request of the matrix asks for, whatever the API. */
export interface Input {
  readonly effort?: Effort;
  /** A tool that must be called: any, or by name. */
  readonly forced?: 'any' | 'named';
  readonly hasSchema?: boolean;
  readonly hasPicture?: boolean;
}

export const EFFORT_WORDS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
type Effort = (typeof EFFORT_WORDS)[number];

/** An API of the gateway, and how a client says there what it wants. */
export interface QuirkApi {
  readonly api: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  toBody(input: Input): Record<string, unknown>;
}

const TEXT = 'How is the weather in Paris?';
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const PICTURE = `data:image/png;base64,${PNG}`;
const NAME = 'weather';
const PARAMETERS = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

const chat: QuirkApi = {
  api: 'Chat Completions',
  path: '/v1/chat/completions',
  toBody: ({ effort, forced, hasSchema, hasPicture }) => ({
    messages: [
      {
        role: 'user',
        content: hasPicture
          ? [
              { type: 'text', text: TEXT },
              { type: 'image_url', image_url: { url: PICTURE } },
            ]
          : TEXT,
      },
    ],
    ...(effort && { reasoning_effort: effort }),
    ...(forced && {
      tools: [{ type: 'function', function: { name: NAME, parameters: PARAMETERS } }],
      tool_choice: forced === 'any' ? 'required' : { type: 'function', function: { name: NAME } },
    }),
    ...(hasSchema && {
      response_format: { type: 'json_schema', json_schema: { name: NAME, schema: PARAMETERS, strict: true } },
    }),
  }),
};

const responses: QuirkApi = {
  api: 'Responses',
  path: '/v1/responses',
  toBody: ({ effort, forced, hasSchema, hasPicture }) => ({
    input: hasPicture
      ? [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: TEXT },
              { type: 'input_image', image_url: PICTURE },
            ],
          },
        ]
      : TEXT,
    ...(effort && { reasoning: { effort } }),
    ...(forced && {
      tools: [{ type: 'function', name: NAME, parameters: PARAMETERS }],
      tool_choice: forced === 'any' ? 'required' : { type: 'function', name: NAME },
    }),
    ...(hasSchema && { text: { format: { type: 'json_schema', name: NAME, schema: PARAMETERS, strict: true } } }),
  }),
};

/** What an answer to the request has in its text, as JSON and in a stream. */
export function answerTo({ forced, hasSchema }: Input): string {
  if (forced) return NAME;
  return hasSchema ? 'city' : 'Sunny';
}

/** The API has no words for the two lowest efforts: thinking is disabled, or has the smallest budget. */
function thinkingOf(effort: Effort): Record<string, unknown> {
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  if (effort === 'minimal') return { thinking: { type: 'enabled', budget_tokens: 1024 } };
  return { output_config: { effort } };
}

const messages: QuirkApi = {
  api: 'Messages',
  path: '/v1/messages',
  headers: { 'anthropic-version': '2023-06-01' },
  toBody: ({ effort, forced, hasSchema, hasPicture }) => ({
    max_tokens: 4000,
    messages: [
      {
        role: 'user',
        content: hasPicture
          ? [
              { type: 'text', text: TEXT },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
            ]
          : TEXT,
      },
    ],
    ...(effort && thinkingOf(effort)),
    ...(forced && {
      tools: [{ name: NAME, input_schema: PARAMETERS }],
      tool_choice: forced === 'any' ? { type: 'any' } : { type: 'tool', name: NAME },
    }),
    ...(hasSchema && { output_config: { format: { type: 'json_schema', schema: PARAMETERS } } }),
  }),
};

export const QUIRK_APIS: readonly QuirkApi[] = [chat, responses, messages];

export const WISHES: readonly (readonly [description: string, wish: Input])[] = [
  ['a plain call', {}],
  ...EFFORT_WORDS.map((effort) => [`the effort ${effort}`, { effort }] as const),
  ...EFFORT_WORDS.map((effort) => [`a tool with the effort ${effort}`, { effort, forced: 'any' }] as const),
  ['a required tool', { forced: 'any' }],
  ['a named tool', { forced: 'named' }],
  ['a JSON schema', { hasSchema: true }],
  ['a picture', { hasPicture: true }],
];
