import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { schemaFaults } from '../../../../test/support/openai-schema.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import { openAiAdapter } from '../openai/openai.adapter.js';
import { perplexityDialect } from './perplexity.dialect.js';

const adapter = openAiAdapter(perplexityDialect);
const call = providerCall();
const citations = ['https://a.example/1', 'https://b.example/2'];

describe('the citations of Perplexity', () => {
  const cited = (start: number, end: number, url: string | undefined, title = url) => ({
    type: 'url_citation',
    url_citation: { start_index: start, end_index: end, url, title },
  });
  const content = 'Rome[1] is old[2][1], not [3] or [x].';
  const expected = (title?: string) => [
    cited(4, 7, citations[0]),
    cited(14, 17, citations[1], title),
    cited(17, 20, citations[0]),
  ];

  it('have the positions at which the text refers to a source', () => {
    const search_results = [
      { title: 'B', url: citations[1] },
      { title: 'Found, not cited', url: 'https://c.example' },
    ];
    const body = { citations, search_results, choices: [{ index: 0, message: { content }, finish_reason: 'stop' }] };
    const completion = adapter.fromResponse(body, call);
    expect(schemaFaults('completion', completion)).toEqual([]);
    expect(completion.choices[0]?.message.annotations).toEqual(expected('B'));
  });

  it('are sent once in a stream, with the finish reason, even if a mark is split', async () => {
    const pieces = ['Rome[', '1] is old[2', '][1], not [3]', ' or [x].'];
    const events = pieces.map((content) => ({ citations, choices: [{ index: 0, delta: { content } }] }));
    const done = {
      object: 'chat.completion.done',
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop' }],
    };
    const framed = [...events, done].map((event) => ({ event: '', data: JSON.stringify(event) }));
    const chunks = await lastValueFrom(from(framed).pipe(adapter.fromStream(call), toArray()));
    expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
    const telling = chunks.filter(({ choices }) => choices[0]?.delta.annotations);
    expect(telling.map(({ choices: [choice] }) => [choice?.finish_reason, choice?.delta.annotations])).toEqual([
      ['stop', expected()],
    ]);
  });

  it('are empty if the text refers to no source', () => {
    const body = { citations, choices: [{ index: 0, message: { content: 'Rome' }, finish_reason: 'stop' }] };
    expect(adapter.fromResponse(body, call).choices[0]?.message).not.toHaveProperty('annotations');
  });
});
