import type { ApiDocument, Operation } from './document';
import { Markdown } from './markdown';
import { OperationView } from './operation-view';
import { useHashTarget } from './use-hash-target';

const COOKIE_NOTE = `The console’s API takes the cookie of a session, never an API key. [Sign in with
curl](/docs/reference-session#Session_open) once: it writes the cookie to \`cookies.txt\`, which the other commands send.`;

interface ReferenceSectionProps {
  operations: readonly Operation[];
  document: ApiDocument;
}

/** The operations of one part of the API. */
export function ReferenceSection({ operations, document }: ReferenceSectionProps) {
  useHashTarget();
  return (
    <>
      {operations.some(({ path }) => path.startsWith('/api/')) && <Markdown text={COOKIE_NOTE} />}
      {operations.map((operation) => (
        <OperationView key={operation.operationId} operation={operation} document={document} />
      ))}
    </>
  );
}
