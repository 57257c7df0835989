import ChevronRight from 'icon:chevron-right';
import { Collapse, UnstyledButton } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import classes from './kit.module.css';

interface FoldProps {
  label: string;
  isOpenAtFirst: boolean;
  /** Stays open because it contains an error. */
  hasError: boolean;
  children: ReactNode;
}

/** A rarely used part of a form, closed until someone opens it. */
export function Fold({ label, isOpenAtFirst, hasError, children }: FoldProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const isShown = isOpen || hasError;
  const id = useId();
  return (
    <div>
      <UnstyledButton
        className={classes.button}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={15} aria-hidden="true" />
        {label}
      </UnstyledButton>
      <Collapse expanded={isShown} id={id}>
        {children}
      </Collapse>
    </div>
  );
}
