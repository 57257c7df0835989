import { describe, expect, it } from '@jest/globals';
import { loggedMessage } from './attempt-log.js';

const prompt = (content: string) => [{ role: 'user' as const, content }];

describe('an upstream’s error message in the log', () => {
  it('is complete if it does not quote the prompt', () => {
    const text = "Unsupported value: 'temperature' does not support 0.3 with this model.";
    expect(loggedMessage(text, prompt('Say hello in the words of Goethe.'))).toBe(text);
    expect(loggedMessage(undefined, prompt('Hi'))).toBeUndefined();
  });

  it('has no quotes from the prompt, with or without quotation marks, with any white space', () => {
    const messages = prompt('My patient Jane Doe,\nborn in 1980, has a rare illness.');
    expect(loggedMessage("Flagged: 'Jane Doe' is a person", messages)).toBe("Flagged: '[of the prompt]' is a person");
    expect(loggedMessage('Input refused: my patient jane  doe, born in 1980, must not be sent', messages)).toBe(
      'Input refused: [of the prompt] must not be sent',
    );
  });

  it('has no quotes from content parts or tool call arguments', () => {
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } };
    const messages = [
      { role: 'user' as const, content: [image, { type: 'text' as const, text: 'the plan of the bank vault' }] },
      {
        role: 'assistant' as const,
        content: null,
        tool_calls: [{ id: 'a', type: 'function' as const, function: { name: 'open', arguments: '{"code":"9041"}' } }],
      },
    ];
    expect(loggedMessage('No: the plan of the bank vault', messages)).toBe('No: [of the prompt]');
    expect(loggedMessage('The argument `9041` is wrong', messages)).toBe('The argument `[of the prompt]` is wrong');
  });

  it('has at most 500 characters, and is left out if the prompt is too long to search', () => {
    expect(loggedMessage('x'.repeat(1000), prompt('Hi'))).toHaveLength(500);
    expect(loggedMessage('Too long', prompt('a b '.repeat(100_000)))).toBeUndefined();
  });
});
