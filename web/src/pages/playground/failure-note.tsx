import TriangleAlert from 'icon:triangle-alert';
import { Alert, Button, Code, Collapse, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CodeBlock } from '../../kit/code-block';
import { CopyButton } from '../../kit/copy-button';
import type { Failure } from './chat.types';
import classes from './playground.module.css';

/** Why there is no complete answer: in words, and as the API said it. */
export function FailureNote({ failure }: { failure: Failure }) {
  const [isOpen, body] = useDisclosure(false);
  const { message, status, requestId } = failure;
  return (
    <Alert
      color="red"
      role="alert"
      classNames={{ body: classes.failure }}
      icon={<TriangleAlert size={17} aria-hidden="true" />}
      title={status ? `Error ${status}` : 'Error'}
    >
      <Text size="sm">{message}</Text>
      <Group gap="xs" mt="xs">
        {requestId && (
          <Group gap={2} wrap="nowrap">
            <Code fz="xs">{requestId}</Code>
            <CopyButton value={requestId} what="request id" size={13} />
          </Group>
        )}
        {failure.body && (
          <Button size="compact-xs" variant="subtle" color="red" aria-expanded={isOpen} onClick={body.toggle}>
            {isOpen ? 'Hide the answer' : 'Show the answer'}
          </Button>
        )}
      </Group>
      {failure.body && (
        <Collapse expanded={isOpen} mt="xs">
          <CodeBlock code={pretty(failure.body)} label="error" />
        </Collapse>
      )}
    </Alert>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
