import { Badge, Title } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, useEffect, useState } from 'react';
import { CopyButton } from '../../kit/copy-button';
import { CodeTabs, useDocs } from './code-tabs';
import classes from './docs.module.css';
import {
  type ApiDocument,
  isForAdmins,
  jsonBody,
  type Operation,
  type Parameter,
  type ResponseDoc,
  type Schema,
} from './document';
import { operationCode } from './operation-code';
import { type Field, limitsOf, type Shape, shapeOf, valuesOf } from './shape';

const loading = import('./markdown');
/** Draws text; it arrives after the page that needs it, which suspends. */
export const Markdown = lazy(async () => ({ default: (await loading).Markdown }));

/** Scrolls to the place that the address names, also when its content comes later than the page. */
export function useHashTarget(): void {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  useEffect(() => {
    if (hash) document.getElementById(hash)?.scrollIntoView();
  }, [hash]);
}

type Schemas = ApiDocument['components']['schemas'];

/** The fields of a body or answer; those of nested objects are drawn when they are opened. */
function SchemaFields({ schema, schemas }: { schema: Schema; schemas: Schemas }) {
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
function FieldRow({ name, isRequired, schema, schemas }: Field & { schemas: Schemas }) {
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
            <code key={value} className={classes.code}>
              {value}
            </code>
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
      <OnOpen summary={fields.length === 1 ? '1 field' : `${fields.length} fields`} isOpenAtFirst={isOpenAtFirst}>
        {() => <FieldList fields={fields} schemas={schemas} />}
      </OnOpen>
    );
  }
  return variants.map(({ label, schema }) => (
    <OnOpen key={label} summary={label}>
      {() => <SchemaFields schema={schema} schemas={schemas} />}
    </OnOpen>
  ));
}

interface OnOpenProps {
  summary: ReactNode;
  className?: string | undefined;
  isOpenAtFirst?: boolean | undefined;
  children: () => ReactNode;
}

function OnOpen({ summary, className = classes.inner, isOpenAtFirst = false, children }: OnOpenProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details className={className} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children()}
    </details>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Title order={3} className={classes.part}>
        {title}
      </Title>
      {children}
    </div>
  );
}

/** The answers and errors of an operation, each drawn when it is opened. */
function Responses({ operation, document }: OperationViewProps) {
  const groups = Map.groupBy(Object.entries(operation.responses), ([status]) =>
    /^[123]/.test(status) ? 'Responses' : 'Errors',
  );
  return (['Responses', 'Errors'] as const).map((title) => {
    const responses = groups.get(title);
    if (!responses) return null;
    return (
      <Part key={title} title={title}>
        {responses.map(([status, response]) => (
          <OnOpen key={status} className={classes.answer} summary={summaryOf(status, response)}>
            {() => <Details response={response} document={document} />}
          </OnOpen>
        ))}
      </Part>
    );
  });
}

function summaryOf(status: string, response: ResponseDoc): ReactNode {
  return (
    <>
      <strong>{status === 'default' ? 'Any error' : status}</strong>{' '}
      <span className={classes.type}>{shortOf(response)}</span>
    </>
  );
}

/** The codes of an error, or the first sentence. */
function shortOf({ description = '' }: ResponseDoc): string {
  const codes = [...description.matchAll(/^- `(\w+)`/gm)].map(([, code]) => code);
  return codes.length > 0 ? codes.join(', ') : (/^[^.\n]*/.exec(description)?.[0].replaceAll('`', '') ?? '');
}

function Details({ response, document }: { response: ResponseDoc; document: ApiDocument }) {
  const { description, headers = {}, content = {} } = response;
  return (
    <div className={classes.details}>
      {description && <Markdown text={description} />}
      {Object.entries(headers).map(([name, header]) => (
        <Markdown key={name} text={`Header \`${name}\`: ${header.description ?? ''}`} />
      ))}
      {Object.entries(content).map(([type, { schema }]) => (
        <div key={type}>
          <code className={classes.code}>{type}</code>
          {schema && <SchemaFields schema={schema} schemas={document.components.schemas} />}
        </div>
      ))}
    </div>
  );
}

interface OperationViewProps {
  operation: Operation;
  document: ApiDocument;
}

/** An operation: what it takes and answers, and beside it the code of a call. */
function OperationView({ operation, document }: OperationViewProps) {
  const { values } = useDocs();
  const { operationId, method, path, summary = path, description } = operation;
  const body = jsonBody(operation)?.schema;
  return (
    <section id={operationId} className={classes.operation} aria-labelledby={`${operationId}-title`}>
      <Title order={2} id={`${operationId}-title`} className={classes.heading}>
        <Link to="." hash={operationId} className={classes.anchor}>
          {summary}
        </Link>
        {isForAdmins(operation) && <Badge color="gray">Administrators</Badge>}
        {operation['x-permission'] && <Badge color="gray">{operation['x-permission']}</Badge>}
      </Title>
      <div className={classes.address}>
        <span className={classes.method} data-method={method}>
          {method.toUpperCase()}
        </span>
        <code>{path}</code>
        <CopyButton value={path} what={`path ${path}`} size={13} />
      </div>
      <div className={classes.sides}>
        <div className={classes.contract}>
          {description && <Markdown text={description} />}
          <Parameters operation={operation} document={document} />
          {body && (
            <Part title="Body">
              <SchemaFields schema={body} schemas={document.components.schemas} />
            </Part>
          )}
          <Responses operation={operation} document={document} />
        </div>
        <div className={classes.example}>
          <CodeTabs codes={operationCode(operation, document, values)} label={summary} />
        </div>
      </div>
    </section>
  );
}

const PLACES: Readonly<Record<Parameter['in'], string>> = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Headers',
  cookie: 'Cookies',
};

function Parameters({ operation: { parameters = [] }, document }: OperationViewProps) {
  const groups = Map.groupBy(parameters, (parameter) => parameter.in);
  return [...groups].map(([place, list]) => (
    <Part key={place} title={PLACES[place]}>
      <ul className={classes.fields}>
        {list.map(({ name, required = false, description, schema }) => (
          <FieldRow
            key={name}
            name={name}
            isRequired={required}
            schema={{ ...schema, ...(description && { description }) }}
            schemas={document.components.schemas}
          />
        ))}
      </ul>
    </Part>
  ));
}

const TOKEN_NOTE = `The console’s API takes an [access token](/account) in \`GATEWAY_TOKEN\`, never an API key.`;

interface ReferenceSectionProps {
  operations: readonly Operation[];
  document: ApiDocument;
}

/** The operations of one part of the API. */
export function ReferenceSection({ operations, document }: ReferenceSectionProps) {
  useHashTarget();
  return (
    <>
      {operations.some(({ path }) => path.startsWith('/api/')) && <Markdown text={TOKEN_NOTE} />}
      {operations.map((operation) => (
        <OperationView key={operation.operationId} operation={operation} document={document} />
      ))}
    </>
  );
}
