import { expect, it } from '@jest/globals';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Markdown } from './markdown';

function markup(text: string): string {
  return renderToStaticMarkup(createElement(Markdown, { text }));
}

it.each([
  ['One\n*line* of `code`.', '<p>One\n<em>line</em> of <code>code</code>.</p>'],
  ['## A **heading**', '<h2>A <strong>heading</strong></h2>'],
  ['- a\n  b\n- [x] c', '<ul><li>a\nb</li><li><input type="checkbox" disabled="" readOnly="" checked=""/> c</li></ul>'],
  ['3. a\n\n   - b', '<ol start="3"><li><p>a</p><ul><li>b</li></ul></li></ol>'],
  ['```sh\na\n\nb\n```', '<pre><code>a\n\nb</code></pre>'],
  ['> ~~a~~  \n> b &amp; c', '<blockquote><p><del>a</del><br/>b &amp; c</p></blockquote>'],
  ['![a cat](https://x.test/cat.png)', '<p>[image: a cat]</p>'],
  ['A[^1]\n\n[^1]: Note.', '<p>A<sup>1</sup></p><section><sup>1</sup><p>Note.</p></section>'],
  [
    '| x | `y` |\n|---|--:|\n| 1 | 2 |',
    '<table><thead><tr><th scope="col">x</th><th scope="col" style="text-align:right"><code>y</code></th></tr></thead>' +
      '<tbody><tr><td data-label="x">1</td><td data-label="y" style="text-align:right">2</td></tr></tbody></table>',
  ],
])('%j is drawn as Markdown', (text, expected) => {
  expect(markup(text)).toBe(expected);
});

it('raw HTML is shown as text', () => {
  expect(markup('<script>hit()</script>')).toBe('<pre><code>&lt;script&gt;hit()&lt;/script&gt;</code></pre>');
  expect(markup('A <b onclick="hit()">b</b>')).toBe('<p>A &lt;b onclick=&quot;hit()&quot;&gt;b&lt;/b&gt;</p>');
});

it.each(['https://x.test', 'http://x.test/a:b', 'mailto:a@x.test', '/docs', '#a:b', 'page'])(
  'a link to %s can be followed',
  (url) => {
    expect(markup(`[a](${url})`)).toContain(`href="${url}"`);
    expect(markup(`[a][b]\n\n[b]: ${url}`)).toContain(`href="${url}"`);
  },
);

it.each(['javascript:hit()', 'JavaScript:hit()', 'java&#10;script:hit()', 'data:text/html,hit', 'vbscript:hit'])(
  'a link to %s cannot be followed',
  (url) => {
    expect(markup(`[a](<${url}>) [b]\n\n[b]: <${url}>`)).not.toContain('href');
  },
);
