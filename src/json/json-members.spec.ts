import { describe, expect, it } from '@jest/globals';
import { textMember, withMembers } from './json-members.js';

const edits = { model: '"public"', response: { model: '"public"', store: 'false' } };

describe('replacing members in JSON text', () => {
  it.each([
    ['a member', '{"model":"m","a":1}', '{"model":"public","a":1}'],
    ['a member of an object', '{"response":{"id":"a","model":"m"}}', '{"response":{"id":"a","model":"public"}}'],
    [
      'several members',
      '{"response":{"store":true,"x":[],"model":null}}',
      '{"response":{"store":false,"x":[],"model":"public"}}',
    ],
    ['a value that is an object', '{"model":{"a":"}"},"b":2}', '{"model":"public","b":2}'],
    ['two members with the same name', '{"model":"m","model":"n"}', '{"model":"public","model":"public"}'],
    [
      'a member among white space',
      '\n{ "a" : [ 1 ] ,\t"model" : "m" }\r\n',
      '\n{ "a" : [ 1 ] ,\t"model" : "public" }\r\n',
    ],
  ])('replaces %s', (_what, json, expected) => {
    expect(withMembers(json, edits)).toBe(expected);
  });

  it.each([
    ['it has no such member', '{"a":1,"b":"model"}'],
    ['only a deeper member has the name', '{"a":{"model":"m"},"b":[{"model":"m"}]}'],
    ['the name occurs in a text', '{"a":"\\"model\\":\\"m\\"","b":"\\\\","c":"{\\"model\\""}'],
    ['it is empty', '{}'],
    ['it is a list', '["model","m"]'],
    ['the parent is not an object', '{"response":[{"model":"m"}]}'],
    ['the name is an inherited property', '{"constructor":"m","toString":1}'],
  ])('returns the text unchanged if %s', (_what, json) => {
    expect(withMembers(json, edits)).toBe(json);
  });

  it('does not change numbers, escapes and the order of members', () => {
    const json = '{"n":1.0e2,"id":12345678901234567890,"s":"\\u00e9\\/\\"","model":"m","z":-0}';
    expect(withMembers(json, edits)).toBe(json.replace('"m"', '"public"'));
  });

  it.each(['', '{', '{"a', '{"a"', '{"a":', '{"a":"', '{"a":[1,', '{"model":', 'null', '{"a" 1}', '{,}', '{"a":1,}'])(
    'ends on text that is not JSON: %s',
    (json) => {
      expect(typeof withMembers(json, edits)).toBe('string');
      expect(textMember(json, 'type')).toBeUndefined();
    },
  );

  it('reads a megabyte of escaped quotes in linear time', () => {
    const json = JSON.stringify({ a: '"'.repeat(500_000), model: 'm' });
    expect(withMembers(json, edits)).toBe(json.replace('"m"', '"public"'));
  });
});

describe('reading a text member', () => {
  it.each([
    ['the first', '{"type":"ping"}', 'ping'],
    ['a later one', '{"a":{"type":"x"},"b":[],"n":1,"type":"ping"}', 'ping'],
    ['an empty one', '{"type":""}', ''],
  ])('finds %s', (_what, json, expected) => {
    expect(textMember(json, 'type')).toBe(expected);
  });

  it.each(['{"type":1}', '{"type":"a\\n"}', '{"a":"type"}', '[DONE]', '{"a":{"type":"x"}}'])('%s has none', (json) => {
    expect(textMember(json, 'type')).toBeUndefined();
  });
});
