import type { ErrorCode } from './document';
import { TextTable } from './markdown';

/** Every code of an error. */
export function ErrorTable({ codes }: { codes: readonly ErrorCode[] }) {
  const rows = codes.map(({ status, code, meaning, remedy }) => [String(status), `\`${code}\``, meaning, remedy]);
  return <TextTable head={['Status', 'Code', 'Meaning', 'What to do']} rows={rows} />;
}
