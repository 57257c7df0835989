/** The parts of an operation: replaced where the viewer's own are not accessible, otherwise adjusted. */
export const viewerParts = String.raw`
function OperationSummary({ React, operationProps, isShown, toggleShown }) {
  const h = React.createElement;
  const { method, path, summary, security, deprecated } = operationProps.toObject();
  return h('h3', { className: 'docs-operation' },
    h('button', { type: 'button', 'aria-expanded': isShown, onClick: toggleShown },
      h('span', { className: 'docs-method docs-method-' + method }, method.toUpperCase()),
      h('span', { className: 'docs-what' },
        h('span', { className: 'docs-path' }, path.split(/(?=\/)/).flatMap((part, at) => [part, h('wbr', { key: at })])),
        h('span', { className: 'docs-summary' }, summary)),
      deprecated && h('span', { className: 'docs-caller' }, 'Deprecated'),
      h('span', { className: 'docs-caller' }, callerOf(security)),
      chevron(h)));
}

function callerOf(security) {
  if (!security || security.size === 0) return 'Open';
  return security.some((one) => one.has('key')) ? 'API key' : 'Session';
}

const JSON_TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/g;
const MOST_COLORED = 100000;

/** Code with the theme's colors; focusable, because it may need scrolling. */
function Code({ React, language, className, children }) {
  const h = React.createElement;
  const text = String(children ?? '');
  const content = language === 'json' && text.length < MOST_COLORED ? coloredJson(h, text) : text;
  return h('pre', { className, tabIndex: 0, role: 'group', 'aria-label': 'Code' }, h('code', null, content));
}

function coloredJson(h, text) {
  const pieces = [];
  let end = 0;
  for (const token of text.matchAll(JSON_TOKENS)) {
    const [whole, string, colon] = token;
    const kind = string ? (colon ? 'name' : 'string') : 'value';
    pieces.push(text.slice(end, token.index), h('span', { key: token.index, className: 'docs-json-' + kind }, string ?? whole), colon ?? '');
    end = token.index + whole.length;
  }
  return [...pieces, text.slice(end)];
}

/** Shown if there is a choice. */
function ContentType({ React, contentTypes, value, onChange, ariaLabel, controlId }) {
  const h = React.createElement;
  const first = contentTypes?.first();
  const isMissing = Boolean(contentTypes?.size) && !contentTypes.includes(value);
  React.useEffect(() => {
    if (isMissing) onChange?.(first);
  }, [isMissing, first]);
  if (!contentTypes?.size) return null;
  if (contentTypes.size === 1) return h('code', { className: 'docs-content-type' }, first);
  const options = contentTypes.toArray().map((one) => h('option', { key: one, value: one }, one));
  const name = ariaLabel || 'Content type';
  return h('select', { id: controlId, 'aria-label': name, value: value || '', onChange: (event) => onChange?.(event.target.value) }, options);
}

/** Operations of the console need its session and change the gateway, so they are tried there, not here. */
function onlyTriedWithKeys(Original, system) {
  return (props) => {
    const isForKeys = /^\/(v1|health)\//.test(props.operation.get('path'));
    const operation = isForKeys ? props.operation : props.operation.set('allowTryItOut', false);
    return system.React.createElement(Original, { ...props, operation });
  };
}

/** The same tree, with each element replaced by the result of the change. */
function rewritten(React, node, change) {
  if (Array.isArray(node)) return node.map((one) => rewritten(React, one, change));
  if (!React.isValidElement(node)) return node;
  const { children } = node.props;
  const inner = children === undefined ? [] : [].concat(rewritten(React, children, change));
  const [type, props] = change(node.type, node.props) ?? [node.type, {}];
  const { children: _children, ...rest } = { ...node.props, ...props };
  return React.createElement(type, { ...rest, key: node.key }, ...inner);
}

function withHeadCells(Original, system) {
  return class extends Original {
    render() {
      return rewritten(system.React, super.render(), (type, { className = '' }) => {
        if (type === 'table') return [type, { role: undefined, 'aria-live': undefined }];
        return type === 'td' && className.includes('col_header') ? ['th', { scope: 'col' }] : null;
      });
    }
  };
}

function withNamedSelect(Original, system) {
  return class extends Original {
    render() {
      return rewritten(system.React, super.render(), (type) => type === 'select' ? [type, { 'aria-label': 'Example' }] : null);
    }
  };
}

function withNamedTextArea(Original, system) {
  return (props) => system.React.createElement(Original, { 'aria-label': 'Request body', spellCheck: false, ...props });
}

function withExpandedState(Original, system) {
  return (props) => rewritten(system.React, Original(props), (type) =>
    type === 'button' ? [type, { 'aria-expanded': Boolean(props.expanded) }] : null);
}
`;
