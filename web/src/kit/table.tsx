import type { ComponentProps, CSSProperties } from 'react';
import classes from './kit.module.css';

interface TableProps extends ComponentProps<'table'> {
  /** Vertical padding of a cell in pixels. */
  verticalSpacing?: number;
  layout?: 'fixed';
  highlightOnHover?: boolean;
  stickyHeader?: boolean;
  withRowBorders?: boolean;
}

/** A table that scrolls with its page. Mantine's includes a scroll area of 20 kB, even if it is not used. */
export function Table({
  verticalSpacing = 7,
  layout,
  highlightOnHover,
  stickyHeader,
  withRowBorders = true,
  className = '',
  style,
  ...table
}: TableProps) {
  return (
    <table
      {...table}
      className={`${classes.table} ${className}`}
      style={{ '--row-space': `${verticalSpacing / 16}rem`, tableLayout: layout, ...style } as CSSProperties}
      data-hover={highlightOnHover || undefined}
      data-sticky={stickyHeader || undefined}
      data-borders={withRowBorders || undefined}
    />
  );
}

interface CellProps {
  ta?: CSSProperties['textAlign'];
  w?: CSSProperties['width'];
  fw?: CSSProperties['fontWeight'];
}

function looks<P extends CellProps & { style?: CSSProperties }>({ ta, w, fw, style, ...rest }: P) {
  return { ...rest, style: { textAlign: ta, width: w, fontWeight: fw, ...style } };
}

Table.Caption = (props: ComponentProps<'caption'>) => <caption {...props} />;
Table.Thead = (props: ComponentProps<'thead'>) => <thead {...props} />;
Table.Tbody = (props: ComponentProps<'tbody'>) => <tbody {...props} />;
Table.Tfoot = (props: ComponentProps<'tfoot'>) => <tfoot {...props} />;
Table.Tr = (props: ComponentProps<'tr'>) => <tr {...props} />;
Table.Th = (props: ComponentProps<'th'> & CellProps) => <th {...looks(props)} />;
Table.Td = (props: ComponentProps<'td'> & CellProps) => <td {...looks(props)} />;
