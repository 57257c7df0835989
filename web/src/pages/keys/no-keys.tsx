import KeyRound from 'icon:key-round';
import Plus from 'icon:plus';
import { Box, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../api/lists';
import { useSession } from '../../api/session';
import { CodeBlock } from '../../kit/code-block';
import { SNIPPETS } from '../../kit/snippets';
import { EmptyState } from '../../kit/states';
import { defaultModel } from '../../kit/words';
import classes from './keys.module.css';

const curl = SNIPPETS.find(({ id }) => id === 'curl');

/** Shown on the page before there is a key. */
export function NoKeys({ onCreate }: { onCreate: () => void }) {
  const { baseUrl } = useSession();
  const { data: models } = useQuery(modelsQuery);
  const model = defaultModel(models ?? [])?.id;
  return (
    <>
      <EmptyState
        icon={KeyRound}
        title="No keys yet"
        action={
          <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={onCreate}>
            Create key
          </Button>
        }
      >
        A key lets your programs call every model of your plan, with any OpenAI-compatible client.
      </EmptyState>
      {model && curl && (
        <Box className={classes.firstCall}>
          <CodeBlock code={curl.text({ baseUrl, model })} label="curl command" />
        </Box>
      )}
    </>
  );
}
