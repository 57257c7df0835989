import { type JsonObject, objectsOf, textOf } from '../../contract/json.js';
import type { MessageExtras } from '../openai/dialect.js';
import { urlCitation } from '../shared/url-citation.js';

/** Sources that a text cites with marks like `[2]`, as OpenAI annotations, one for each mark. */
export class CitedSources implements MessageExtras {
  private content = '';
  private body: JsonObject = {};

  read({ content }: JsonObject, body: JsonObject): void {
    if (typeof content === 'string') this.content += content;
    // Each chunk repeats the whole list, except some chunks at the start.
    if (Array.isArray(body.citations) || Array.isArray(body.search_results)) this.body = body;
  }

  fields(): JsonObject {
    const sources = sourcesOf(this.body);
    const annotations = [...this.content.matchAll(/\[(\d{1,3})\]/g)].flatMap((mark) => {
      const source = sources[Number(mark[1]) - 1];
      if (source === undefined) return [];
      return [urlCitation(source.url, source.title, mark.index, mark.index + mark[0].length)];
    });
    return annotations.length > 0 ? { annotations } : {};
  }
}

interface Source {
  url: string;
  title: string;
}

/** Numbered URLs with titles from the search results; an entry without URL stays empty. */
function sourcesOf({ citations, search_results: found }: JsonObject): (Source | undefined)[] {
  const results = objectsOf(found);
  const titles = new Map(results.map(({ url, title }) => [url, textOf(title)]));
  const addresses: unknown[] = Array.isArray(citations) ? citations : results.map(({ url }) => url);
  return addresses.map((address) => {
    const url = textOf(address);
    return url === undefined ? undefined : { url, title: titles.get(url) ?? url };
  });
}
