import { Title } from '@mantine/core';
import { useState } from 'react';
import classes from './docs.module.css';
import type { ApiDocument, Operation, ResponseDoc } from './document';
import { Inline, Markdown } from './markdown';
import { SchemaFields } from './schema-fields';

interface ResponsesProps {
  operation: Operation;
  document: ApiDocument;
}

/** The answers and errors of an operation, each drawn when it is opened. */
export function Responses({ operation, document }: ResponsesProps) {
  const all = Object.entries(operation.responses);
  const isError = ([status]: [string, ResponseDoc]) => !/^[123]/.test(status);
  return (
    <>
      <Group title="Responses" responses={all.filter((one) => !isError(one))} document={document} />
      <Group title="Errors" responses={all.filter(isError)} document={document} />
    </>
  );
}

interface GroupProps {
  title: string;
  responses: [string, ResponseDoc][];
  document: ApiDocument;
}

function Group({ title, responses, document }: GroupProps) {
  if (responses.length === 0) return null;
  return (
    <div>
      <Title order={3} className={classes.part}>
        {title}
      </Title>
      {responses.map(([status, response]) => (
        <Answer key={status} status={status} response={response} document={document} />
      ))}
    </div>
  );
}

interface AnswerProps {
  status: string;
  response: ResponseDoc;
  document: ApiDocument;
}

function Answer({ status, response, document }: AnswerProps) {
  const [isOpen, setOpen] = useState(false);
  const name = status === 'default' ? 'Any error' : status;
  return (
    <details className={classes.answer} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{name}</strong> <span className={classes.type}>{shortOf(response)}</span>
      </summary>
      {isOpen && <Details response={response} document={document} />}
    </details>
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
        <p key={name} className={classes.text}>
          <Inline text={`Header \`${name}\`: ${header.description ?? ''}`} />
        </p>
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
