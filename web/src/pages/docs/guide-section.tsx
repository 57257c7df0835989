import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { QueryStates } from '../../kit/query-states';
import { CodeTabs } from './code-tabs';
import { useDocs } from './docs-context';
import { type Code, type DocsValues, originOf } from './docs-values';
import type { ErrorCode } from './document';
import { ErrorTable } from './error-table';
import { type Guide, loadGuide } from './guides';
import { Markdown } from './markdown';
import type { CodePart } from './markdown-blocks';
import { APIS, requestCode } from './operation-code';
import { useHashTarget } from './use-hash-target';

interface GuideSectionProps {
  guide: Guide;
  errorCodes: readonly ErrorCode[];
}

/** A guide, with real values in its code. */
export function GuideSection({ guide: { slug, title }, errorCodes }: GuideSectionProps) {
  const query = useQuery({
    queryKey: ['docs', 'guide', slug],
    queryFn: () => loadGuide(slug),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryStates query={query}>{(text) => <GuideText text={text} title={title} errorCodes={errorCodes} />}</QueryStates>
  );
}

function GuideText({ text, title, errorCodes }: { text: string; title: string; errorCodes: readonly ErrorCode[] }) {
  const { values } = useDocs();
  useHashTarget();
  return (
    <Markdown
      text={filledIn(text, values)}
      renderCode={(parts, heading = title) =>
        parts[0]?.language === 'errors' ? (
          <ErrorTable codes={errorCodes} />
        ) : (
          <Box mb="1.25rem">
            <CodeTabs codes={parts.flatMap((part) => toCodes(part, values))} label={heading} />
          </Box>
        )
      }
    />
  );
}

/** `{{baseUrl}}` and its like, in text and code. */
function filledIn(text: string, values: DocsValues): string {
  return text
    .replaceAll('{{baseUrl}}', values.baseUrl)
    .replaceAll('{{origin}}', originOf(values))
    .replaceAll('{{model}}', values.model)
    .replaceAll('{{embeddingModel}}', values.embeddingModel);
}

const NAMES: Readonly<Record<string, string>> = {
  python: 'Python',
  node: 'Node',
  json: 'JSON',
  sh: 'Shell',
  js: 'JavaScript',
};

/** `request /v1/responses`: a JSON body that becomes a program in each language. */
function toCodes({ language, code }: CodePart, values: DocsValues): Code[] {
  const [kind = '', path = ''] = language.split(' ');
  const api = APIS[path];
  if (kind === 'request' && api) return requestCode(api, JSON.parse(code), values);
  return [{ id: kind, name: NAMES[kind] ?? kind, code: `${code}\n` }];
}
