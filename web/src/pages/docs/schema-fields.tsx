import { useState } from 'react';
import classes from './docs.module.css';
import type { ApiDocument, Schema } from './document';
import { limitsOf, valuesOf } from './limits-of';
import { Inline, Markdown } from './markdown';
import { type Field, type Shape, shapeOf } from './shape';

type Schemas = ApiDocument['components']['schemas'];

/** The fields of a body or answer; those of nested objects are drawn when they are opened. */
export function SchemaFields({ schema, schemas }: { schema: Schema; schemas: Schemas }) {
  const shape = shapeOf(schema, schemas);
  if (shape.fields.length > 0 && !shape.type.startsWith('array'))
    return <FieldList fields={shape.fields} schemas={schemas} />;
  return (
    <div className={classes.field}>
      <Facts shape={shape} />
      <Inner shape={shape} schemas={schemas} isOpenAtFirst={shape.variants.length === 0} />
    </div>
  );
}

function FieldList({ fields, schemas }: { fields: readonly Field[]; schemas: Schemas }) {
  const ordered = [...fields.filter(({ isRequired }) => isRequired), ...fields.filter(({ isRequired }) => !isRequired)];
  return (
    <ul className={classes.fields}>
      {ordered.map((field) => (
        <FieldRow key={field.name} {...field} schemas={schemas} />
      ))}
    </ul>
  );
}

/** A field or parameter. */
export function FieldRow({ name, isRequired, schema, schemas }: Field & { schemas: Schemas }) {
  const shape = shapeOf(schema, schemas);
  return (
    <li className={classes.field}>
      <Facts name={name} isRequired={isRequired} shape={shape} />
      {shape.schema.description && (
        <div className={classes.about}>
          <Markdown text={shape.schema.description} />
        </div>
      )}
      <Inner shape={shape} schemas={schemas} />
    </li>
  );
}

function Facts({ name, isRequired, shape }: { name?: string; isRequired?: boolean; shape: Shape }) {
  const { schema, type, isNullable } = shape;
  const values = valuesOf(schema);
  return (
    <>
      <div className={classes.facts}>
        {name && <code className={classes.name}>{name}</code>}
        <span className={classes.type}>{isNullable ? `${type || 'any'} or null` : type}</span>
        {isRequired && <span className={classes.required}>required</span>}
        {schema.deprecated && <span className={classes.type}>deprecated</span>}
        {limitsOf(schema).map((limit) => (
          <span key={limit} className={classes.type}>
            {limit}
          </span>
        ))}
      </div>
      {values.length > 0 && (
        <div className={classes.values}>
          <span>{values.length === 1 ? 'Always' : 'One of'}</span>
          {values.map((value) => (
            <Inline key={value} text={`\`${value}\``} />
          ))}
        </div>
      )}
    </>
  );
}

function Inner({ shape, schemas, isOpenAtFirst }: { shape: Shape; schemas: Schemas; isOpenAtFirst?: boolean }) {
  const { fields, variants } = shape;
  if (fields.length > 0) {
    return (
      <OnOpen label={fields.length === 1 ? '1 field' : `${fields.length} fields`} isOpenAtFirst={isOpenAtFirst}>
        {() => <FieldList fields={fields} schemas={schemas} />}
      </OnOpen>
    );
  }
  return variants.map(({ label, schema }) => (
    <OnOpen key={label} label={label}>
      {() => <SchemaFields schema={schema} schemas={schemas} />}
    </OnOpen>
  ));
}

interface OnOpenProps {
  label: string;
  isOpenAtFirst?: boolean;
  children: () => React.ReactNode;
}

function OnOpen({ label, isOpenAtFirst = false, children }: OnOpenProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details className={classes.inner} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && children()}
    </details>
  );
}
