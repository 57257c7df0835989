import { Title } from '@mantine/core';
import { type Drawing, Markdown as KitMarkdown, textOf } from '../../kit/markdown';
import { TextLink } from '../../kit/page';
import { Table } from '../../kit/table';
import classes from './docs.module.css';
import { anchorOf } from './guide-text';

const TEXT: Drawing = {
  paragraph: (_, inner) => <p className={classes.text}>{inner}</p>,
  heading: (node, inner) => (
    <Title order={2} id={anchorOf(textOf(node))} className={classes.heading}>
      {inner}
    </Title>
  ),
  list: ({ ordered }, inner) => {
    const List = ordered ? 'ol' : 'ul';
    return <List className={classes.bullets}>{inner}</List>;
  },
  inlineCode: ({ value }) => <code className={classes.code}>{value}</code>,
  table: (_, inner) => (
    <div className={classes.frame}>
      <Table className={classes.table}>{inner}</Table>
    </div>
  ),
  link: ({ url }, inner) => {
    const [to, hash] = url.split('#');
    return (
      <TextLink to={to ?? ''} hash={hash} inherit>
        {inner}
      </TextLink>
    );
  },
};

const LINE: Drawing = { ...TEXT, paragraph: (_, inner) => inner };

/** Text of our own, in guides and descriptions; `isLine`: a sentence that is within another element. */
export function Markdown({ text, isLine = false }: { text: string; isLine?: boolean }) {
  return <KitMarkdown text={text} drawing={isLine ? LINE : TEXT} />;
}
