import type { ApiDocument, Operation } from './document';
import { OperationView } from './operation-view';
import { useHashTarget } from './use-hash-target';

interface ReferenceSectionProps {
  operations: readonly Operation[];
  document: ApiDocument;
}

/** The operations of one part of the API. */
export function ReferenceSection({ operations, document }: ReferenceSectionProps) {
  useHashTarget();
  return operations.map((operation) => (
    <OperationView key={operation.operationId} operation={operation} document={document} />
  ));
}
