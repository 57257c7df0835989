import { beforeEach, describe, expect, it } from '@jest/globals';
import { objectOf, objectsOf } from '../src/upstreams/contract/json.js';
import {
  ANSWER,
  CHAT_TOOLS,
  CLAUDE_5_5,
  ClaudeTest,
  MESSAGES,
  MESSAGES_TOOLS,
  RESPONSES_TOOLS,
  TOOL_NAMES,
} from './support/claude-test.js';
import { json } from './support/script.js';

const claude = await ClaudeTest.start();
beforeEach(() => {
  claude.upstream.refusals.length = 0;
});

const chat = (fields: object) => claude.chat(fields);
const responses = (fields: object) => claude.responses(fields);
const native = (fields: object, headers = {}) => claude.messages(fields, headers);

const allowed = (mode: string, tools: object[]) => ({ type: 'allowed_tools', mode, tools });

/** The tools of a request to Claude, by Anthropic's API or Converse. */
function offered({ tools, toolConfig }: Record<string, unknown>): unknown[] {
  return objectsOf(tools ?? objectOf(toolConfig).tools).map(({ name, toolSpec }) => name ?? objectOf(toolSpec).name);
}

const FORCED: readonly [string, (fields: object) => ReturnType<ClaudeTest['chat']>, object, string[]][] = [
  ['a named function in chat', chat, { tools: CHAT_TOOLS, tool_choice: named('weather') }, ['weather']],
  ['required tools in chat', chat, { tools: CHAT_TOOLS, tool_choice: 'required' }, TOOL_NAMES],
  [
    'required allowed tools in chat',
    chat,
    {
      tools: CHAT_TOOLS,
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [named('weather')] } },
    },
    ['weather'],
  ],
  [
    'a named function in Responses',
    responses,
    { tools: RESPONSES_TOOLS, tool_choice: { type: 'function', name: 'weather' } },
    ['weather'],
  ],
  ['required tools in Responses', responses, { tools: RESPONSES_TOOLS, tool_choice: 'required' }, TOOL_NAMES],
  [
    'required allowed tools in Responses',
    responses,
    { tools: RESPONSES_TOOLS, tool_choice: allowed('required', [{ type: 'function', name: 'weather' }]) },
    ['weather'],
  ],
];

function named(name: string) {
  return { type: 'function', function: { name } };
}

describe.each([false, true])('with stream: %s', (stream) => {
  describe.each(CLAUDE_5_5)('%s', (model) => {
    it.each(FORCED)('calls a tool for %s, without being forced', async (_, call, fields, tools) => {
      const { status, text, ignored, sent } = await call({ model, stream, ...fields });
      expect({ status, ignored, offered: offered(sent) }).toEqual({
        status: 200,
        ignored: ['tool_choice'],
        offered: tools,
      });
      expect(text).toContain('weather');
      expect(text).toContain('Paris');
      expect(JSON.stringify(sent.system)).toMatch(/Call (?:the tool `weather`|one of the tools) now/);
      expect(JSON.stringify(sent)).not.toMatch(/"(?:type":"(?:any|tool)"|any"|tool":)/);
    });

    it.each(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])(
      'answers with the effort %s in chat and Responses',
      async (effort) => {
        const replies = [
          await chat({ model, stream, reasoning_effort: effort }),
          await responses({ model, stream, reasoning: { effort } }),
        ];
        for (const { status, text } of replies) {
          expect(status).toBe(200);
          expect(text).toContain(ANSWER.slice(0, 5));
        }
      },
    );

    it('answers without the sampling fields in chat and Responses, and names them', async () => {
      const sampling = { temperature: 0.5, top_p: 0.9 };
      const replies = [await chat({ model, stream, ...sampling }), await responses({ model, stream, ...sampling })];
      for (const { status, ignored } of replies) {
        expect({ status, ignored: ignored.sort() }).toEqual({ status: 200, ignored: ['temperature', 'top_p'] });
      }
    });

    it('answers a schema with open objects by an answer tool that is not forced', async () => {
      const schema = { type: 'object', additionalProperties: { type: 'string' } };
      const format = { type: 'json_schema', json_schema: { name: 'cities', schema } };
      const { status, sent } = await chat({ model, stream, response_format: format });
      expect({ status, offered: offered(sent) }).toEqual({ status: 200, offered: ['json_answer'] });
      expect(JSON.stringify(sent.system)).toContain('calling the tool `json_answer`');
    });

    it('refuses a last message of the assistant with a 400 that names it', async () => {
      const begun = [...MESSAGES, { role: 'assistant', content: 'It is' }];
      const { status, text } = await chat({ model, stream, messages: begun });
      expect({ status, error: JSON.parse(text).error }).toMatchObject({ status: 400, error: { param: 'messages[1]' } });
    });
  });
});

describe('Claude 5.5 as declared', () => {
  it.each(['opus', 'sonnet', 'opus-on-bedrock'])('%s is never sent what it refuses', async (model) => {
    await chat({ model, tools: CHAT_TOOLS, tool_choice: 'required', temperature: 1, reasoning_effort: 'none' });
    await chat({ model, tools: CHAT_TOOLS, tool_choice: named('news'), top_p: 1, reasoning_effort: 'minimal' });
    expect(claude.upstream.refusals).toEqual([]);
  });

  it.each([
    ['opus', { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } }],
    ['sonnet', { thinking: { type: 'between_tools' } }],
  ])('%s gets the effort none as its least thinking', async (model, fields) => {
    const { thinking, output_config } = (await chat({ model, reasoning_effort: 'none' })).sent;
    expect({ thinking, output_config }).toEqual({ output_config: undefined, ...fields });
  });

  it('Claude 5.5 as declared what is refused without a declaration is learned for the target', async () => {
    const forced = { model: 'undeclared', tools: CHAT_TOOLS, tool_choice: 'required', reasoning_effort: 'none' };
    await chat(forced);
    claude.upstream.refusals.length = 0;
    expect((await chat(forced)).status).toBe(200);
    expect(claude.upstream.refusals).toEqual([]);
  });
});

it('an effort that a model refuses becomes the nearest of those that it names, at once in later calls', async () => {
  const message = "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.";
  claude.upstream.server.enqueue(json(400, { type: 'error', error: { type: 'invalid_request_error', message } }));
  const requested = { model: 'few-efforts', reasoning_effort: 'xhigh' };
  const before = claude.upstream.server.requests.length;
  for (const { status, sent } of [await chat(requested), await chat(requested)]) {
    expect({ status, sent }).toMatchObject({ status: 200, sent: { output_config: { effort: 'max' } } });
  }
  expect(claude.upstream.server.requests).toHaveLength(before + 3);
});

describe('the version of a translated request to Anthropic', () => {
  const versionOf = async (fields: object) => {
    const { sentHeaders, sent } = await chat(fields);
    return [sentHeaders['anthropic-version'], sent.temperature];
  };

  it('is the newest one, and an older one for sampling fields of a model that has them', async () => {
    expect(await versionOf({ model: 'opus' })).toEqual(['2026-10-21', undefined]);
    expect(await versionOf({ model: 'opus', temperature: 0.5 })).toEqual(['2026-10-21', undefined]);
    expect(await versionOf({ model: 'with-sampling' })).toEqual(['2026-10-21', undefined]);
    expect(await versionOf({ model: 'with-sampling', temperature: 0.5 })).toEqual(['2023-06-01', 0.5]);
    expect(claude.upstream.refusals).toEqual([]);
  });
});

describe('a native request of the Messages API', () => {
  it.each([false, true])(
    "has the client's version, whose refusals apply to no other version; stream: %s",
    async (stream) => {
      const sampling = { model: 'with-sampling', stream, temperature: 0.25 };
      const { status, ignored, sent, sentHeaders } = await native(sampling);
      expect({ status, ignored, version: sentHeaders['anthropic-version'] }).toEqual({
        status: 200,
        ignored: ['temperature'],
        version: '2026-10-21',
      });
      expect(sent).not.toHaveProperty('temperature');
      const older = await native(sampling, { 'anthropic-version': '2023-06-01' });
      expect({
        ignored: older.ignored,
        version: older.sentHeaders['anthropic-version'],
        sent: older.sent,
      }).toMatchObject({
        ignored: [],
        version: '2023-06-01',
        sent: { temperature: 0.25 },
      });
    },
  );

  it("gets the provider's own refusal of a forced tool", async () => {
    const { status, text } = await native({ model: 'opus', tools: MESSAGES_TOOLS, tool_choice: { type: 'any' } });
    expect({ status, error: JSON.parse(text).error }).toMatchObject({
      status: 400,
      error: { message: expect.stringContaining('tool_choice.type: "any" is not supported for this model.') },
    });
  });
});
