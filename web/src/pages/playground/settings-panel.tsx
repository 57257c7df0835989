import { Divider, JsonInput, Stack, Switch, Textarea } from '@mantine/core';
import { Select } from '../../kit/select';
import { TagsInput } from '../../kit/tags-input';
import type { ModelView } from './chat.types';
import { type ChatSettings, can, type Effort, type Format, schemaFault, toolsFault } from './chat-settings';
import { ModelSelect } from './model-select';
import { OptionalSlider } from './optional-slider';
import classes from './playground.module.css';
import { WholeNumberField } from './whole-number-field';

export interface SettingsPanelProps {
  models: readonly ModelView[];
  model: ModelView | undefined;
  settings: ChatSettings;
  onChange: (changes: Partial<ChatSettings>) => void;
}

const EFFORTS: { value: Effort; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'minimal', label: 'Minimal' },
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
  { value: 'xhigh', label: 'Extra high' },
  { value: 'max', label: 'Max' },
];

/** The parameters of the request that the model supports. */
export function SettingsPanel({ models, model, settings, onChange }: SettingsPanelProps) {
  return (
    <Stack gap="md">
      <ModelSelect models={models} value={settings.model} onChange={(id) => onChange({ model: id })} />
      <Textarea
        label="System prompt"
        placeholder="You are a helpful assistant."
        autosize
        minRows={3}
        maxRows={12}
        value={settings.system}
        onChange={(event) => onChange({ system: event.currentTarget.value })}
      />
      <Switch
        label="Stream the answer"
        checked={settings.stream}
        onChange={(event) => onChange({ stream: event.currentTarget.checked })}
      />
      <Divider />
      <Sampling model={model} settings={settings} onChange={onChange} />
      {can(model, 'reasoning') && (
        <Select
          label="Reasoning effort"
          placeholder="Model's default"
          clearable
          data={EFFORTS}
          value={settings.effort}
          onChange={(value) => onChange({ effort: value as Effort | null })}
        />
      )}
      <Divider />
      <AnswerFormat model={model} settings={settings} onChange={onChange} />
      {can(model, 'tools') && <Tools settings={settings} onChange={onChange} />}
    </Stack>
  );
}

type PartProps = Omit<SettingsPanelProps, 'models'>;

function Sampling({ model, settings, onChange }: PartProps) {
  return (
    <>
      <OptionalSlider
        label="Temperature"
        hint="Higher values give more varied answers."
        value={settings.temperature}
        max={2}
        step={0.1}
        rest={1}
        onChange={(temperature) => onChange({ temperature })}
      />
      <OptionalSlider
        label="Top P"
        hint="Considers only the most likely tokens that add up to this probability."
        value={settings.topP}
        max={1}
        step={0.05}
        rest={1}
        onChange={(topP) => onChange({ topP })}
      />
      <WholeNumberField
        label="Max tokens"
        placeholder="Model's default"
        min={1}
        max={model?.maxOutputTokens ?? undefined}
        value={settings.maxTokens}
        onChange={(maxTokens) => onChange({ maxTokens })}
      />
      <TagsInput
        label="Stop sequences"
        placeholder={settings.stop.length === 0 ? 'Up to four; Enter adds one' : undefined}
        maxTags={4}
        splitChars={[]}
        value={[...settings.stop]}
        onChange={(stop) => onChange({ stop })}
      />
      <WholeNumberField label="Seed" placeholder="None" value={settings.seed} onChange={(seed) => onChange({ seed })} />
    </>
  );
}

function AnswerFormat({ model, settings, onChange }: PartProps) {
  const hasSchema = can(model, 'json_schema');
  return (
    <>
      <Select
        label="Answer format"
        allowDeselect={false}
        data={[
          { value: 'text', label: 'Text' },
          { value: 'json_object', label: 'JSON object' },
          ...(hasSchema ? [{ value: 'json_schema', label: 'JSON Schema' }] : []),
        ]}
        value={!hasSchema && settings.format === 'json_schema' ? 'text' : settings.format}
        onChange={(value) => onChange({ format: value as Format })}
      />
      {hasSchema && settings.format === 'json_schema' && (
        <JsonInput
          label="JSON Schema"
          placeholder={'{ "type": "object",\n  "properties": { … } }'}
          classNames={{ input: classes.code }}
          autosize
          minRows={5}
          maxRows={16}
          formatOnBlur
          error={schemaFault(settings.schema)}
          value={settings.schema}
          onChange={(schema) => onChange({ schema })}
        />
      )}
    </>
  );
}

function Tools({ settings, onChange }: Pick<PartProps, 'settings' | 'onChange'>) {
  return (
    <JsonInput
      label="Tools"
      description="A JSON list of functions that the model can call."
      placeholder={'[{ "type": "function",\n   "function": { "name": "…" } }]'}
      classNames={{ input: classes.code }}
      autosize
      minRows={3}
      maxRows={16}
      formatOnBlur
      error={toolsFault(settings.tools)}
      value={settings.tools}
      onChange={(tools) => onChange({ tools })}
    />
  );
}
