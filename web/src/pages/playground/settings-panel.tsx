import Check from 'icon:check';
import {
  Button,
  Divider,
  Group,
  InputBase,
  JsonInput,
  type SelectProps,
  Slider,
  Stack,
  Switch,
  type TagsInputProps,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { Quantity } from '../../kit/figures';
import { formatPrice } from '../../kit/numbers';
import { Select, usePlaceholder } from '../../kit/select';
import { healthText } from '../../kit/words';
import {
  type ChatSettings,
  can,
  type Effort,
  type Format,
  type ModelView,
  schemaFault,
  toolsFault,
} from './chat-settings';
import classes from './playground.module.css';

type Props = Pick<TagsInputProps, 'label' | 'placeholder' | 'maxTags' | 'splitChars' | 'onChange'> & {
  value: string[];
};

/** Words to add and remove. Its code is loaded when someone is about to use it, or when there are words to show. */
function TagsInput(props: Props) {
  const { label, placeholder, value } = props;
  const { overlays, field, typed, placeholderProps } = usePlaceholder({
    loadsEarly: value.length > 0,
    takesText: true,
  });
  if (overlays) return <overlays.TagsInput {...props} ref={field} />;
  return (
    <InputBase {...{ label, placeholder }} value={typed ?? ''} {...placeholderProps} __staticSelector="TagsInput" />
  );
}

interface WholeNumberFieldProps {
  label: string;
  placeholder: string;
  /** Null for an empty field. */
  value: number | null;
  onChange: (value: number | null) => void;
  min?: number;
  max?: number;
}

/** The browser's own number field; values out of range become the bound on blur. */
function WholeNumberField({ value, onChange, min, max, ...labels }: WholeNumberFieldProps) {
  const bounded = (number: number) => Math.max(min ?? number, Math.min(max ?? number, number));
  return (
    <TextInput
      {...labels}
      type="number"
      inputMode="numeric"
      step={1}
      min={min}
      max={max}
      value={value ?? ''}
      onChange={({ currentTarget: { valueAsNumber: number } }) => onChange(Number.isInteger(number) ? number : null)}
      onBlur={() => value !== null && onChange(bounded(value))}
    />
  );
}

interface OptionalSliderProps {
  label: string;
  hint: string;
  value: number | null;
  max: number;
  step: number;
  /** The thumb's position while the model's default applies. */
  rest: number;
  onChange: (value: number | null) => void;
}

/** A number that has the model's default until the person moves the thumb. */
function OptionalSlider({ label, hint, value, max, step, rest, onChange }: OptionalSliderProps) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" h={24}>
        <Text size="sm" fw={500} title={hint}>
          {label}
        </Text>
        {value === null ? (
          <Text size="xs" c="dimmed">
            Model's default
          </Text>
        ) : (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            aria-label={`${label} ${value}: use the model's default`}
            onClick={() => onChange(null)}
          >
            {value} ✕
          </Button>
        )}
      </Group>
      <Slider
        thumbLabel={label}
        size="sm"
        label={value === null ? null : undefined}
        min={0}
        max={max}
        step={step}
        value={value ?? rest}
        className={value === null ? classes.atRest : undefined}
        color={value === null ? 'gray' : undefined}
        onChange={onChange}
      />
    </Stack>
  );
}

interface ModelSelectProps {
  label: string;
  models: readonly ModelView[];
  value: string;
  placeholder?: string;
  /** Empty: none, which only a select that can be cleared allows. */
  onChange: (id: string) => void;
  isClearable?: boolean;
}

/** The callable models, by owner; typing searches names and ids. */
function ModelSelect({ label, models, value, placeholder, onChange, isClearable = false }: ModelSelectProps) {
  const callable = models.filter(({ callable }) => callable);
  const byId = new Map(callable.map((model) => [model.id, model]));
  const owners = [...new Set(callable.map(({ ownedBy }) => ownedBy))];
  const renderOption: SelectProps['renderOption'] = ({ option, checked }) => {
    const model = byId.get(option.value);
    return model ? <Option model={model} checked={checked ?? false} /> : option.label;
  };
  return (
    <Select
      label={label}
      clearable={isClearable}
      searchable
      selectFirstOptionOnChange
      allowDeselect={false}
      placeholder={placeholder ?? 'Choose a model'}
      onClick={(event) => event.currentTarget.select()}
      nothingFoundMessage="No such model"
      value={byId.has(value) ? value : null}
      onChange={(id) => (id !== null || isClearable) && onChange(id ?? '')}
      maxDropdownHeight={380}
      comboboxProps={{ width: 340, position: 'bottom-end' }}
      renderOption={renderOption}
      filter={({ options, search }) => matchingGroups(options, search, byId)}
      data={owners.map((group) => ({
        group,
        items: callable
          .filter(({ ownedBy }) => ownedBy === group)
          .map(({ id, displayName }) => ({ value: id, label: displayName })),
      }))}
    />
  );
}

function Option({ model, checked }: { model: ModelView; checked: boolean }) {
  const { displayName, id, contextLength, price, hasPrice, simulated, health } = model;
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm" w="100%">
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={500}>
          {displayName}
        </Text>
        <Text size="xs" c="dimmed" className={classes.optionId}>
          {id}
        </Text>
        {(health.status === 'failing' || health.status === 'degraded') && (
          <Text size="xs" c={health.status === 'failing' ? 'var(--console-bad)' : 'var(--console-warn)'}>
            {health.status === 'failing' ? 'Failing' : 'Degraded'}: {healthText(health)}
          </Text>
        )}
      </Stack>
      <Stack gap={0} ta="right" className={classes.optionFacts}>
        <Text size="xs" c="dimmed">
          <Quantity value={contextLength} />
          {simulated && ' · simulated'}
        </Text>
        <Text size="xs" c="dimmed">
          {hasPrice ? `${formatPrice(price.inputUsdPerMTok)} / ${formatPrice(price.outputUsdPerMTok)}` : 'No price'}
        </Text>
      </Stack>
      {checked && <Check size={15} aria-hidden="true" />}
    </Group>
  );
}

type Options = Parameters<NonNullable<SelectProps['filter']>>[0]['options'];

/** Those whose name, id or owner contains the typed text. */
function matchingGroups(options: Options, search: string, models: ReadonlyMap<string, ModelView>): Options {
  const required = search.trim().toLocaleLowerCase();
  return options.flatMap((group) => {
    if (!('items' in group)) return [];
    const items = group.items.filter((item) => {
      const value = typeof item === 'string' ? item : String(item.value);
      return `${value} ${models.get(value)?.displayName} ${group.group}`.toLocaleLowerCase().includes(required);
    });
    return items.length > 0 ? [{ ...group, items }] : [];
  });
}

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
      <ModelSelect label="Model" models={models} value={settings.model} onChange={(id) => onChange({ model: id })} />
      {model?.health.status === 'failing' && (
        <Text size="xs" c="var(--console-bad)" role="status">
          {healthText(model.health)}
        </Text>
      )}
      <ModelSelect
        label="Compare with"
        placeholder="No second model"
        isClearable
        models={models.filter(({ id }) => id !== settings.model)}
        value={settings.rival ?? ''}
        onChange={(rival) => onChange({ rival })}
      />
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
