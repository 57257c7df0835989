import ArrowLeftRight from 'icon:arrow-left-right';
import { Stack, Text, Title } from '@mantine/core';
import { CodeBlock } from '../../kit/code-block';
import { EmptyState } from '../../kit/empty-state';
import { Table } from '../../kit/table';
import type { ChatRequest, Exchange } from './chat.types';
import { CHAT_PATH } from './chat-path';
import { withShortImages } from './chat-request';
import classes from './playground.module.css';

/** The last request and its answer, as sent and received. */
export function RawView({ exchange }: { exchange: Exchange | null }) {
  if (!exchange) {
    return (
      <EmptyState icon={ArrowLeftRight} title="Nothing sent yet">
        After the first message you see the request, the answer and their headers here.
      </EmptyState>
    );
  }
  const { requestHeaders, request, status, responseHeaders, responseBody } = exchange;
  return (
    <Stack gap="lg" className={classes.raw}>
      <Message
        title="Request"
        line={`POST ${CHAT_PATH}`}
        headers={requestHeaders}
        body={toText(withShortImages(request))}
        whole={toText(request)}
      />
      <Message
        title="Answer"
        line={status === null ? 'Waiting for the response headers…' : `HTTP ${status}`}
        headers={responseHeaders}
        body={responseBody}
      />
    </Stack>
  );
}

interface MessageProps {
  title: string;
  line: string;
  headers: Exchange['requestHeaders'];
  body: string;
  /** The text to copy, if the shown body is shortened. */
  whole?: string;
}

function toText(request: ChatRequest): string {
  return JSON.stringify(request, null, 2);
}

function Message({ title, line, headers, body, whole }: MessageProps) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h3" mb="xs">
        {title}
      </Title>
      <Text ff="monospace" size="xs" mb="xs">
        {line}
      </Text>
      {headers.length > 0 && (
        <div className={classes.headers}>
          <Table withRowBorders={false} verticalSpacing={2} className={classes.headers}>
            <Table.Tbody>
              {headers.map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row">{name}</Table.Th>
                  <Table.Td>{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {body !== '' && <CodeBlock code={body} whole={whole} label={`${title.toLowerCase()} body`} maxHeight={420} />}
    </section>
  );
}
