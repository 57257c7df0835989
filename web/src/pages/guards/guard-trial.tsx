import { Button, Card, ComboboxChevron, Group, InputBase, Mark, Stack, Text } from '@mantine/core';
import { Fragment, useState } from 'react';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { FaultNote } from '../../kit/notes';
import { plural } from '../../kit/numbers';
import { Section } from '../../kit/page';
import { useSubmit } from '../../kit/use-submit';
import { GUARD_ACTION_LABELS } from '../../kit/words';

type Finding = components['schemas']['GuardFindingView'];

const MAX_TEXT = 20_000;

interface Result {
  guard: string;
  text: string;
  findings: readonly Finding[];
}

/** A box to try a text in. Nothing of it is stored. */
export function GuardTrial({ guards }: { guards: readonly string[] }) {
  const [guard, setGuard] = useState(guards[0] ?? '');
  const [text, setText] = useState('');
  const [result, setResult] = useState<Result | null>(null);
  const trial = useSubmit(async () => {
    setResult(null);
    const params = { path: { name: guard } };
    const { findings } = await unwrap(api.POST('/api/guards/{name}/try', { params, body: { text } }));
    setResult({ guard, text, findings });
  });
  if (guards.length === 0) return null;
  return (
    <Section title="Try a text">
      <Card>
        <form onSubmit={trial.onSubmit} noValidate>
          <Stack gap="md">
            <InputBase
              component="textarea"
              multiline
              label="Text"
              description="The guard checks it as the text of a request. It is not stored."
              value={text}
              maxLength={MAX_TEXT}
              rows={6}
              styles={{ input: { resize: 'vertical' } }}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Group align="flex-end" gap="xs">
              <InputBase
                component="select"
                label="Guard"
                pointer
                rightSection={<ComboboxChevron size="sm" />}
                rightSectionPointerEvents="none"
                value={guard}
                onChange={(event) => setGuard(event.currentTarget.value)}
              >
                {guards.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </InputBase>
              <Button type="submit" loading={trial.isBusy} disabled={text === ''}>
                Try
              </Button>
            </Group>
            <FaultNote fault={trial.fault} />
            <div role="status">{result && <Findings {...result} />}</div>
          </Stack>
        </form>
      </Card>
    </Section>
  );
}

/** The tried text with its findings marked, and a list of them. */
function Findings({ guard, text, findings }: Result) {
  if (findings.length === 0) return <Text size="sm">{guard} finds nothing in this text.</Text>;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {guard} has {plural(findings.length, 'finding')}
      </Text>
      <Text size="sm" component="div" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {findings.map(({ start, end, kind }, index) => (
          <Fragment key={start}>
            {text.slice(findings[index - 1]?.end ?? 0, start)}
            <Mark title={kind}>{text.slice(start, end)}</Mark>
          </Fragment>
        ))}
        {text.slice(findings.at(-1)?.end)}
      </Text>
      <ul style={{ margin: 0, paddingInlineStart: '1.25rem' }} aria-label="Findings">
        {findings.map(({ start, end, kind, action }) => (
          <Text key={start} component="li" size="sm">
            {GUARD_ACTION_LABELS[action]}: {kind} (characters {start + 1} to {end})
          </Text>
        ))}
      </ul>
    </Stack>
  );
}
