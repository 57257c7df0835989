import { describe, expect, it } from '@jest/globals';
import { can, DEFAULT_SETTINGS, type ModelView, schemaFault, settingsFault, toolsFault } from './chat-settings';

const model = { callable: true, capabilities: ['tools', 'json_schema'] as string[] } as ModelView;
const plain = { callable: true, capabilities: [] as string[] } as unknown as ModelView;

describe('JSON in a field', () => {
  it('can be missing, and must match the field', () => {
    expect([schemaFault(' '), toolsFault('')]).toEqual([null, null]);
    expect([schemaFault('{}'), toolsFault('[]')]).toEqual([null, null]);
    expect(schemaFault('[]')).toMatch(/is an object/);
    expect(toolsFault('{}')).toMatch(/are a list/);
    expect(schemaFault('{')).not.toBeNull();
  });
});

describe('the reason why nothing can be sent', () => {
  it.each([
    [undefined, {}, 'Choose a model.'],
    [{ ...model, callable: false }, {}, 'You cannot call this model.'],
    [model, { format: 'json_schema' }, 'Write the JSON Schema of the answer.'],
    [model, { format: 'json_schema', schema: '{' }, 'The JSON Schema is not valid JSON.'],
    [model, { tools: '{}' }, 'The tools are not valid JSON.'],
    [model, {}, null],
  ] as const)('%j with %j: %s', (chosen, changes, fault) => {
    expect(settingsFault({ ...DEFAULT_SETTINGS, ...changes }, chosen)).toBe(fault);
  });

  it('ignores settings that the model would not get', () => {
    const settings = { ...DEFAULT_SETTINGS, format: 'json_schema', schema: '{', tools: '{' } as const;
    expect(settingsFault(settings, plain)).toBeNull();
    expect([can(plain, 'tools'), can(undefined, 'tools')]).toEqual([false, true]);
  });
});
