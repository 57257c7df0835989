import Code from 'icon:code';
import History from 'icon:rotate-ccw-clock';
import SlidersHorizontal from 'icon:sliders-horizontal';
import SquarePen from 'icon:square-pen';
import { ActionIcon, Button } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { chatModelsQuery } from '../../api/lists';
import { useSession } from '../../api/session';
import { onDemand, Tip } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import { SegmentedControl } from '../../kit/segmented-control';
import { QueryStates } from '../../kit/states';
import { nextRequest } from './chat-request';
import { settingsFault } from './chat-settings';
import { Composer } from './composer';
import { Conversation } from './conversation';
import { estimateOf } from './estimate';
import classes from './playground.module.css';
import { SettingsPanel } from './settings-panel';
import { stopAnswer, usePlaygroundPage } from './use-playground-page';

const CodeDrawer = lazy(() => import('./playground-drawers').then((module) => ({ default: module.CodeDrawer })));
const RawView = lazy(() => import('./playground-drawers').then((module) => ({ default: module.RawView })));
const SettingsDrawer = onDemand(
  () => import('./playground-drawers').then((module) => module.SettingsDrawer),
  ({ opened }) => opened,
  { opened: false },
);
const HistoryDrawer = lazy(() => import('./playground-drawers').then((module) => ({ default: module.HistoryDrawer })));

/** Chat with any model that the person can use, through the same /v1 as every client. */
export function PlaygroundPage() {
  const query = useQuery(chatModelsQuery);
  const [isCodeOpen, code] = useDisclosure(false);
  const [isHistoryOpen, history] = useDisclosure(false);
  const [isPanelOpen, panel] = useDisclosure(false);
  const { user } = useSession();
  const page = usePlaygroundPage(query.data ?? []);
  const { state, model } = page;
  return (
    <Page
      title="Playground"
      actions={
        <>
          <Button
            variant="default"
            size="xs"
            px={10}
            hiddenFrom="md"
            leftSection={<SlidersHorizontal size={15} aria-hidden="true" />}
            onClick={panel.open}
          >
            Settings
          </Button>
          <Button
            variant="default"
            size="xs"
            px={10}
            leftSection={<Code size={15} aria-hidden="true" />}
            onClick={code.open}
          >
            Code
          </Button>
          <Button
            variant="default"
            size="xs"
            px={10}
            leftSection={<History size={15} aria-hidden="true" />}
            onClick={history.open}
          >
            History
          </Button>
          <Tip label="New conversation">
            <ActionIcon
              variant="default"
              size={30}
              aria-label="New conversation"
              onClick={page.clear}
              disabled={state.turns.length === 0}
            >
              <SquarePen size={15} aria-hidden="true" />
            </ActionIcon>
          </Tip>
        </>
      }
    >
      <QueryStates query={query}>
        {(models) => (
          <div className={classes.playground}>
            <Talk page={page} />
            <aside className={classes.panel} aria-label="Settings">
              <SettingsPanel models={models} model={model} settings={state.settings} onChange={page.changeSettings} />
            </aside>
            <SettingsDrawer
              {...{ models, model, settings: state.settings, onChange: page.changeSettings }}
              opened={isPanelOpen}
              onClose={panel.close}
            />
          </div>
        )}
      </QueryStates>
      <Suspense fallback={null}>
        {isCodeOpen && <CodeDrawer onClose={code.close} request={nextRequest(page.state, model)} />}
        {isHistoryOpen && (
          <HistoryDrawer
            userId={user.id}
            onClose={history.close}
            onOpen={(conversation) => {
              page.open(conversation);
              history.close();
            }}
          />
        )}
      </Suspense>
    </Page>
  );
}

type View = 'conversation' | 'raw';

function Talk({ page }: { page: ReturnType<typeof usePlaygroundPage> }) {
  const [view, setView] = useState<View>('conversation');
  const { state, model, rival, isRunning, commands } = page;
  const estimates = [model, rival].flatMap((one) => {
    if (!one) return [];
    const settings = { ...state.settings, model: one.id };
    return [estimateOf(nextRequest({ ...state, settings }, one), one)];
  });
  const fault = settingsFault(state.settings, model);
  useHotkeys([['Escape', stopUnlessDialog]], []);
  return (
    <section className={classes.talk} aria-label="Talk">
      <div className={classes.bar}>
        <SegmentedControl
          size="xs"
          aria-label="View"
          value={view}
          onChange={(value) => setView(value as View)}
          data={[
            { value: 'conversation', label: 'Conversation' },
            { value: 'raw', label: 'Raw' },
          ]}
        />
        {page.calls.length > 0 && !isRunning && (
          <Button size="xs" variant="light" onClick={page.addToolResults}>
            Add tool results
          </Button>
        )}
      </div>
      {view === 'raw' ? (
        <div className={classes.scroll}>
          <Suspense fallback={null}>
            <RawView exchange={state.exchange} />
          </Suspense>
        </div>
      ) : (
        <Conversation
          turns={state.turns}
          rivals={state.rivals}
          model={model}
          commands={commands}
          onSuggestion={fault === null ? (text) => page.send(text, []) : null}
        />
      )}
      <Composer
        draft={state.draft}
        onDraft={page.write}
        isRunning={isRunning}
        takesImages={model?.inputModalities.includes('image') || model?.capabilities === null}
        fault={fault}
        estimates={estimates}
        canContinue={state.turns.at(-1)?.role === 'user' || state.turns.at(-1)?.role === 'tool'}
        onSend={page.send}
        onAdd={page.add}
        onStop={stopAnswer}
      />
    </section>
  );
}

/** In a dialog, the key closes the dialog. */
function stopUnlessDialog(): void {
  if (!document.querySelector('[role="dialog"]')) stopAnswer();
}
