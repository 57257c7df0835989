import Braces from 'icon:braces';
import Brain from 'icon:brain';
import Eye from 'icon:eye';
import Image from 'icon:image';
import Paperclip from 'icon:paperclip';
import Type from 'icon:type';
import Waypoints from 'icon:waypoints';
import Wrench from 'icon:wrench';
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ModelView } from '../../api/lists';
import type { Icon } from '../../icons/icon';
import { ModelHealth, StatusBadge } from '../../kit/status-badge';
import { formatDate } from '../../kit/times';
import { NO_PRICE } from '../../kit/words';
import { isUnpriced, priceOptions, priceSteps } from './model-text';
import classes from './models.module.css';

interface Word {
  readonly name: string;
  readonly about: string;
  readonly icon: Icon;
}

/** Names of the catalog's capabilities. */
export const CAPABILITIES: Readonly<Record<string, Word>> = {
  image_input: { name: 'Vision', about: 'Accepts images', icon: Eye },
  tools: { name: 'Tools', about: 'Calls your functions', icon: Wrench },
  json_schema: { name: 'JSON Schema', about: 'Follows a JSON schema that you provide', icon: Braces },
  reasoning: { name: 'Reasoning', about: 'Reasons before it answers', icon: Brain },
};

const MODALITIES: Readonly<Record<string, Word>> = {
  text: { name: 'Text', about: 'Text', icon: Type },
  image: { name: 'Image', about: 'Images', icon: Image },
  embedding: { name: 'Embedding', about: 'Vectors of numbers', icon: Waypoints },
};

function wordOf(words: Readonly<Record<string, Word>>, id: string): Word {
  return words[id] ?? { name: id, about: id, icon: Type };
}

/** A model's features, each with an icon and a word. */
export function Capabilities({ model: { kind, capabilities, providerFiles } }: { model: ModelView }) {
  if (kind === 'embedding') return <Modalities ids={['embedding']} />;
  return (
    <Group gap={6}>
      {capabilities === null && <span className={classes.unknown}>Not known</span>}
      {capabilities?.length === 0 && <span className={classes.unknown}>Text only</span>}
      {capabilities?.map((id) => {
        const { name, about, icon } = wordOf(CAPABILITIES, id);
        return (
          <Mark key={id} icon={icon} about={about}>
            {name}
          </Mark>
        );
      })}
      {providerFiles && (
        <Mark icon={Paperclip} about="Requests may refer to files in the company's account at the provider">
          Provider files
        </Mark>
      )}
    </Group>
  );
}

export function Modalities({ ids }: { ids: readonly string[] }) {
  return (
    <Group gap={6}>
      {ids.map((id) => (
        <Mark key={id} icon={wordOf(MODALITIES, id).icon}>
          {wordOf(MODALITIES, id).name}
        </Mark>
      ))}
    </Group>
  );
}

/** Whether the model can be called, and how it has answered lately. */
export function ModelState({ model }: { model: ModelView }) {
  if (model.reason === 'plan') return <StatusBadge tone="neutral">Not in your plan</StatusBadge>;
  if (model.reason === 'no_credential') return <StatusBadge tone="warn">No credential</StatusBadge>;
  return <ModelHealth health={model.health} />;
}

/** Shown for calls of unknown cost; not for simulated ones, which cost nothing. */
export function PriceState({ model }: { model: ModelView }) {
  return isUnpriced(model) ? <StatusBadge tone="warn">{NO_PRICE}</StatusBadge> : null;
}

/** The prices of request options, if set. */
export function PriceOptions({ model, size = 'xs' }: { model: ModelView; size?: 'xs' | 'sm' }) {
  const options = priceOptions(model);
  if (options.length === 0) return null;
  return (
    <Text size={size} c={size === 'xs' ? 'dimmed' : undefined} mt={size === 'xs' ? 4 : undefined}>
      {options.join(', ')}
    </Text>
  );
}

/** The prices of long prompts, and the end of the price, if they are set. */
export function PriceTerms({ model }: { model: ModelView }) {
  const { until } = model.price;
  const lines = [
    ...priceSteps(model),
    ...(until === null ? [] : [`This price ends with ${formatDate(new Date(Date.parse(until) - 1), 'utc')} (UTC).`]),
  ];
  return lines.map((line) => (
    <Text key={line} size="sm">
      {line}
    </Text>
  ));
}

/** The tier of a model. */
export function Tier({ tier }: { tier: string }) {
  return (
    <span className={classes.tier} data-tier={tier}>
      {tier}
    </span>
  );
}

interface MarkProps {
  icon: Icon;
  about?: string;
  children: ReactNode;
}

function Mark({ icon: Icon, about, children }: MarkProps) {
  return (
    <span className={classes.mark} title={about}>
      <Icon size={13} strokeWidth={2} aria-hidden="true" />
      {children}
    </span>
  );
}
