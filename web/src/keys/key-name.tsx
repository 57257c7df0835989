import FileLock from 'icon:file-lock';
import Pencil from 'icon:pencil';
import { ActionIcon, Group, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { notifyError } from '../kit/notify';
import { StatusBadge } from '../kit/status-badge';
import classes from './keys.module.css';
import { type KeyView, updateKey } from './keys-api';

interface KeyNameProps {
  apiKey: KeyView;
  below: ReactNode;
  /** Whether it leads to the key's page. */
  isLink?: boolean;
  isReadOnly?: boolean;
}

/** The name of a key, editable in place: Enter or leaving it saves, Escape cancels. */
export function KeyName({ apiKey, below, isLink = true, isReadOnly = false }: KeyNameProps) {
  const [isEditing, setEditing] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  if (isEditing) {
    const done = () => {
      setEditing(false);
      window.requestAnimationFrame(() => pencil.current?.focus());
    };
    return <NameField apiKey={apiKey} onDone={done} />;
  }
  return (
    <div className={classes.name}>
      <Group gap={2} wrap="nowrap">
        <Text size="sm" fw={500} truncate title={[apiKey.name, apiKey.note].filter(Boolean).join('\n')}>
          {isLink ? (
            <Link to="/keys/$id" params={{ id: apiKey.id }} className={classes.link}>
              {apiKey.name}
            </Link>
          ) : (
            apiKey.name
          )}
        </Text>
        {apiKey.status !== 'revoked' && !isReadOnly && (
          <ActionIcon
            ref={pencil}
            className={classes.pencil}
            size="sm"
            aria-label={`Rename ${apiKey.name}`}
            onClick={() => setEditing(true)}
          >
            <Pencil size={13} aria-hidden="true" />
          </ActionIcon>
        )}
      </Group>
      {below}
      {apiKey.logsContent && (
        <span title="Prompts and answers of this key's requests are stored, encrypted.">
          <StatusBadge tone="warn" icon={FileLock}>
            Content stored
          </StatusBadge>
        </span>
      )}
    </div>
  );
}

function NameField({ apiKey, onDone }: { apiKey: KeyView; onDone: () => void }) {
  const [name, setName] = useState(apiKey.name);
  const [isSaving, setSaving] = useState(false);
  const settled = useRef(false);
  const leave = () => {
    settled.current = true;
    onDone();
  };
  const save = async () => {
    const newName = name.trim();
    if (settled.current || isSaving) return;
    if (newName === '' || newName === apiKey.name) return leave();
    setSaving(true);
    try {
      await updateKey(apiKey.id, { name: newName });
      leave();
    } catch (error) {
      notifyError(error);
      setSaving(false);
    }
  };
  return (
    <TextInput
      size="xs"
      className={classes.rename}
      aria-label={`New name of ${apiKey.name}`}
      value={name}
      maxLength={100}
      autoFocus
      autoComplete="off"
      readOnly={isSaving}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void save();
        if (event.key === 'Escape') leave();
      }}
    />
  );
}
