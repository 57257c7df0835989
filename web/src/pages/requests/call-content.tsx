import Eye from 'icon:eye';
import { Button, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error';
import { CodeBlock } from '../../kit/code-block';
import { FaultNote } from '../../kit/fault-note';
import { type CallContent as Content, type LoggedChoice, showContent } from './content-api';

const HEIGHT = 320;

interface CallContentProps {
  id: string;
  mayRead: boolean;
}

/** The prompt and the answer, on demand: each look is recorded. */
export function CallContent({ id, mayRead }: CallContentProps) {
  const look = useMutation({ mutationFn: () => showContent(id), gcTime: 0 });
  return (
    <Stack gap="sm">
      <Title order={3} size="h2">
        Prompt and answer
      </Title>
      {look.data ? (
        <Shown content={look.data} />
      ) : (
        <>
          <Text size="sm" c="dimmed">
            The content log of this key is on.{' '}
            {mayRead
              ? 'The audit log records who views it.'
              : 'Only managers of the project and administrators can read it.'}
          </Text>
          {mayRead && (
            <Button
              variant="default"
              leftSection={<Eye size={15} aria-hidden="true" />}
              loading={look.isPending}
              onClick={() => look.mutate()}
              style={{ alignSelf: 'flex-start' }}
            >
              Show prompt and answer
            </Button>
          )}
        </>
      )}
      <FaultNote fault={look.error && messageOf(look.error)} />
    </Stack>
  );
}

function Shown({ content: { request, answer, isCut } }: { content: Content }) {
  return (
    <>
      <CodeBlock code={JSON.stringify(request, null, 2)} label="prompt" maxHeight={HEIGHT} />
      {answer.length === 0 && (
        <Text size="sm" c="dimmed">
          There was no answer.
        </Text>
      )}
      {answer.map((choice) => (
        <CodeBlock key={choice.index} code={answerText(choice)} label="answer" maxHeight={HEIGHT} />
      ))}
      {isCut && (
        <Text size="sm" c="dimmed">
          Part of it was too long to be stored.
        </Text>
      )}
    </>
  );
}

function answerText({ reasoning, content, refusal, toolCalls, finishReason }: LoggedChoice): string {
  const parts = [
    reasoning && `Reasoning:\n${reasoning}`,
    content,
    refusal && `Refusal:\n${refusal}`,
    ...toolCalls.map(({ name, arguments: given }) => `Tool call ${name}: ${given}`),
    finishReason === null && '(The answer was cut off here.)',
  ];
  return parts.filter(Boolean).join('\n\n');
}
