import { Input, Stack, Switch } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { zoneName } from '../../kit/range';
import { SegmentedControl } from '../../kit/segmented-control';
import { GRANULARITIES, type Granularity, SIMULATED, type UsageControls } from './use-usage-search';

const SIMULATED_LABELS = { all: 'Included', false: 'Left out', true: 'Only' } as const;
const STEP_LABELS: Record<Granularity, string> = { auto: 'Automatic', hour: 'Hours', day: 'Days' };

interface ViewChoicesProps extends Pick<UsageControls, 'search' | 'change'> {
  comparedWith: string;
}

/** Time zone, steps and comparison. */
export function ViewChoices({
  search: { range, granularity, compare, simulated },
  change,
  comparedWith,
}: ViewChoicesProps) {
  return (
    <Stack gap="md">
      <Labelled label="Time zone" description={`Local time is ${zoneName('local')}.`}>
        {(label) => (
          <SegmentedControl
            fullWidth
            aria-labelledby={label}
            value={range.zone}
            onChange={(zone) => change({ zone: zone === 'utc' ? zone : undefined })}
            data={[
              { value: 'local', label: 'Local time' },
              { value: 'utc', label: 'UTC' },
            ]}
          />
        )}
      </Labelled>
      <Labelled label="Chart interval">
        {(label) => (
          <SegmentedControl
            fullWidth
            aria-labelledby={label}
            value={granularity}
            onChange={(step) => change({ step: step === 'auto' ? undefined : step })}
            data={GRANULARITIES.map((value) => ({ value, label: STEP_LABELS[value] }))}
          />
        )}
      </Labelled>
      <Labelled label="Simulated requests">
        {(label) => (
          <SegmentedControl
            fullWidth
            aria-labelledby={label}
            value={simulated}
            onChange={(value) => change({ simulated: value === 'all' ? undefined : value })}
            data={SIMULATED.map((value) => ({ value, label: SIMULATED_LABELS[value] }))}
          />
        )}
      </Labelled>
      <Switch
        label="Compare with the previous period"
        description={`${comparedWith[0]?.toUpperCase()}${comparedWith.slice(1)}.`}
        checked={compare}
        onChange={(event) => change({ compare: event.currentTarget.checked ? undefined : 'off' })}
      />
    </Stack>
  );
}

interface LabelledProps {
  label: string;
  description?: string;
  children: (labelId: string) => ReactNode;
}

function Labelled({ label, description, children }: LabelledProps) {
  const id = useId();
  return (
    <Stack gap={4}>
      <Input.Label id={id} component="span">
        {label}
      </Input.Label>
      {children(id)}
      {description && <Input.Description>{description}</Input.Description>}
    </Stack>
  );
}
