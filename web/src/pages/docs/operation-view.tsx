import { Badge, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../kit/copy-button';
import { CodeTabs } from './code-tabs';
import classes from './docs.module.css';
import { useDocs } from './docs-context';
import { type ApiDocument, isForAdmins, jsonBody, type Operation, type Parameter } from './document';
import { Markdown } from './markdown';
import { operationCode } from './operation-code';
import { Responses } from './responses';
import { FieldRow, SchemaFields } from './schema-fields';

interface OperationViewProps {
  operation: Operation;
  document: ApiDocument;
}

/** An operation: what it takes and answers, and beside it the code of a call. */
export function OperationView({ operation, document }: OperationViewProps) {
  const { values } = useDocs();
  const { operationId, method, path, summary = path, description } = operation;
  return (
    <section id={operationId} className={classes.operation} aria-labelledby={`${operationId}-title`}>
      <Title order={2} id={`${operationId}-title`} className={classes.heading}>
        <Link to="." hash={operationId} className={classes.anchor}>
          {summary}
        </Link>
        {isForAdmins(operation) && <Badge color="gray">Administrators</Badge>}
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
          <Body operation={operation} document={document} />
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
    <div key={place}>
      <Title order={3} className={classes.part}>
        {PLACES[place]}
      </Title>
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
    </div>
  ));
}

function Body({ operation, document }: OperationViewProps) {
  const { schema } = jsonBody(operation) ?? {};
  if (!schema) return null;
  return (
    <div>
      <Title order={3} className={classes.part}>
        Body
      </Title>
      <SchemaFields schema={schema} schemas={document.components.schemas} />
    </div>
  );
}
