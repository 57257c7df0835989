import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../api/client';
import { queryClient } from '../api/query-client';
import type { components } from '../api/schema';
import { type DialogContent, DialogEnd } from './dialog';
import { notifyDone } from './notify';
import { QueryStates } from './states';
import { useSubmit } from './use-submit';

type SubjectGuards = components['schemas']['GuardsOfSubjectView'];

interface GuardsSubject extends Pick<SubjectGuards, 'kind' | 'id' | 'name'> {
  onClose: () => void;
}

/** The guards of a plan, a project or a key. */
export function guardsDialog(subject: GuardsSubject): DialogContent {
  return { title: `Guards of ${subject.name}`, content: <GuardsLoader {...subject} /> };
}

function GuardsLoader({ kind, id, onClose }: GuardsSubject) {
  const query = useQuery({
    queryKey: ['guards', kind, id],
    // The form begins with what is set now, not with what it showed before.
    gcTime: 0,
    queryFn: ({ signal }) => unwrap(api.GET('/api/guards/{kind}/{id}', { params: { path: { kind, id } }, signal })),
  });
  return <QueryStates query={query}>{(present) => <GuardsForm present={present} onClose={onClose} />}</QueryStates>;
}

const OWNERS = { plan: 'the users of this plan', project: 'this project', key: 'this key' };

/** Inherited guards are shown, and cannot be removed here. */
function GuardsForm({ present, onClose }: { present: SubjectGuards; onClose: () => void }) {
  const { kind, id, name, guards, inherited, available } = present;
  const [chosen, setChosen] = useState(guards);
  const names = [...new Set([...available, ...guards, ...inherited.map(({ guard }) => guard)])];
  const inheritedOnly = inherited.map(({ guard }) => guard).filter((guard) => !guards.includes(guard));
  const save = useSubmit(async () => {
    await unwrap(api.PUT('/api/guards/{kind}/{id}', { params: { path: { kind, id } }, body: { guards: chosen } }));
    await Promise.all(['guards', 'plans', 'key'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
    notifyDone(`The guards of ${name} are saved`);
    onClose();
  });
  const isChanged = JSON.stringify(chosen.toSorted()) !== JSON.stringify(guards.toSorted());
  return (
    <form onSubmit={save.onSubmit} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {names.length === 0
            ? 'gateway.yaml has no guards. Define one there first.'
            : `They check the requests and answers of ${OWNERS[kind]}. Models can add further guards to their calls. Changes take effect within a second.`}
        </Text>
        <Checkbox.Group
          aria-label="Guards"
          value={[...chosen, ...inheritedOnly]}
          onChange={(values) => setChosen(values.filter((guard) => !inheritedOnly.includes(guard)))}
        >
          <Stack gap="sm">
            {names.map((guard) => (
              <Checkbox
                key={guard}
                value={guard}
                label={guard}
                description={noteOf(guard, present)}
                disabled={inheritedOnly.includes(guard) || (!present.mayRemove && guards.includes(guard))}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <DialogEnd fault={save.fault} onCancel={onClose}>
          <Button type="submit" loading={save.isBusy} disabled={!isChanged}>
            Save
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

/** Where a guard comes from, and why it cannot be removed. */
function noteOf(guard: string, { guards, inherited, available, mayRemove }: SubjectGuards): string | undefined {
  const sources = inherited.filter((one) => one.guard === guard).map(({ from, name }) => sourceText(from, name));
  const notes = [
    sources.length > 0 && `Inherited from ${sources.join(' and ')}.`,
    guards.includes(guard) && !mayRemove && 'Only administrators can remove it.',
    !available.includes(guard) && 'gateway.yaml no longer has it: calls are refused until it is defined or removed.',
  ];
  return notes.filter(Boolean).join(' ') || undefined;
}

function sourceText(from: SubjectGuards['inherited'][number]['from'], name: string | null): string {
  return from === 'all' ? 'guardsForAll in gateway.yaml' : `the ${from} ${name}`;
}
