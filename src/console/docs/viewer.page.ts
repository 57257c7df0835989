/** The whole page: head, the field for a key, the filter, and the groups of operations. */
export const viewerPage = String.raw`
function ofSystem(system, component) {
  return (props) => component({ ...props, React: system.React });
}

function chevron(h) {
  return h(
    'svg',
    { className: 'docs-chevron', width: 16, height: 16, viewBox: '0 0 24 24', 'aria-hidden': true },
    h('path', { d: 'm6 9 6 6 6-6', fill: 'none', stroke: 'currentColor', strokeWidth: 2, strokeLinecap: 'round' }),
  );
}

function ConsoleLayout(props) {
  const { React, specSelectors, layoutSelectors, fn, getComponent } = withReact(props);
  const h = React.createElement;
  if (specSelectors.loadingStatus() === 'failed') {
    return h('div', { className: 'docs-state', role: 'alert' },
      h('h1', null, 'API reference'),
      h('p', null, 'The description of the API could not be loaded. Reload the page to try again.'));
  }
  if (specSelectors.loadingStatus() !== 'success') {
    return h('p', { className: 'docs-state', role: 'status' }, 'Loading…');
  }
  const Markdown = getComponent('Markdown', true);
  const Operations = getComponent('operations', true);
  const Models = getComponent('Models', true);
  const filter = layoutSelectors.currentFilter();
  const phrase = typeof filter === 'string' && filter !== 'true' ? filter : '';
  const isFound = operationsThatMatch(specSelectors.taggedOperations(), phrase).size > 0;
  return h('div', { className: 'swagger-ui' },
    h('h1', { className: 'docs-title' }, 'API reference'),
    h('div', { className: 'docs-about' }, h(Markdown, { source: specSelectors.info().get('description') })),
    h('div', { className: 'docs-tools' }, h(Filter, { ...props, phrase }), h(KeyDialog, props)),
    isFound
      ? h(Operations)
      : h('p', { className: 'docs-state', role: 'status' }, 'No operation matches “' + phrase + '”.'),
    h(Models));
}

/** The viewer passes its parts to a layout as props, and its React only through getSystem. */
function withReact(props) {
  return { ...props, React: props.getSystem().React };
}

function Filter(props) {
  const { React, phrase, layoutActions } = withReact(props);
  return React.createElement('input', {
    type: 'search',
    className: 'docs-filter',
    value: phrase,
    placeholder: 'Filter by path, name or group',
    'aria-label': 'Filter the operations',
    onChange: (event) => layoutActions.updateFilter(event.target.value || true),
  });
}

function operationsThatMatch(groups, phrase) {
  const wanted = phrase.trim().toLowerCase();
  if (wanted === '') return groups;
  return groups
    .map((group, tag) => group.update('operations', (operations) => operations.filter((operation) => {
      const summary = operation.getIn(['operation', 'summary'], '');
      const text = [tag, operation.get('method'), operation.get('path'), summary].join(' ');
      return text.toLowerCase().includes(wanted);
    })))
    .filter((group) => group.get('operations').size > 0);
}

/** The field for the one kind of credential of this page; it stays in the memory of the page. */
function KeyDialog(props) {
  const { React, authSelectors, authActions, specSelectors } = withReact(props);
  const h = React.createElement;
  const dialog = React.useRef(null);
  const [value, setValue] = React.useState('');
  const isSet = authSelectors.authorized().has('key');
  const close = () => {
    setValue('');
    dialog.current.close();
  };
  const submit = (event) => {
    event.preventDefault();
    const schema = specSelectors.securityDefinitions().get('key').toJS();
    authActions.authorize({ key: { name: 'key', schema, value: value.trim() } });
    close();
  };
  const forget = () => {
    authActions.logout(['key']);
    close();
  };
  return h(React.Fragment, null,
    h('button', { type: 'button', className: 'btn docs-key', onClick: () => dialog.current.showModal() },
      isSet ? 'API key is set' : 'Set an API key'),
    h('dialog', { ref: dialog, className: 'docs-dialog', 'aria-labelledby': 'docs-key-title', onCancel: () => setValue('') },
      h('form', { onSubmit: submit },
        h('h2', { id: 'docs-key-title' }, 'API key'),
        h('p', { id: 'docs-key-note' }, 'For trying the operations under /v1. It is sent to this gateway only, and forgotten when you leave or reload the page.'),
        h('label', { htmlFor: 'docs-key-value' }, 'Key'),
        h('input', {
          id: 'docs-key-value',
          type: 'password',
          autoComplete: 'off',
          spellCheck: false,
          required: true,
          placeholder: 'svc_…',
          'aria-describedby': 'docs-key-note',
          value,
          onChange: (event) => setValue(event.target.value),
        }),
        h('div', { className: 'docs-dialog-buttons' },
          isSet && h('button', { type: 'button', className: 'btn docs-forget', onClick: forget }, 'Forget the key'),
          h('button', { type: 'button', className: 'btn', onClick: close }, 'Cancel'),
          h('button', { type: 'submit', className: 'btn execute' }, 'Use this key')))));
}

function OperationTag({ React, tagObj, tag, layoutSelectors, layoutActions, getComponent, children }) {
  const h = React.createElement;
  const key = ['operations-tag', tag];
  const id = key.join('-').replace(/\s/g, '_');
  const isShown = layoutSelectors.isShown(key, true);
  const about = tagObj.getIn(['tagDetails', 'description']);
  const toggle = () => layoutActions.show(key, !isShown);
  return h('section', { className: 'docs-group', 'aria-labelledby': id, ref: (node) => layoutActions.readyToScroll(key, node) },
    h('h2', { id }, h('button', { type: 'button', 'aria-expanded': isShown, onClick: toggle }, tag, chevron(h))),
    about && h('div', { className: 'docs-group-about' }, h(getComponent('Markdown', true), { source: about })),
    isShown && children);
}
`;
