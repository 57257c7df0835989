/** The styles of an operation, its tables, code and schemas, which are the viewer's own elements. */
export const operationStyle = `
.swagger-ui, .swagger-ui :is(p, li, td, th, h4, h5, label, small, button, input, select, textarea, .renderedMarkdown,
  .tabitem, .tablinks, .response-col_status, .response-col_description__inner, .headerline, i, table) {
  font-size: 0.875rem; }
.swagger-ui { color: var(--text); font-family: var(--sans); }
:where(.swagger-ui *) { color: inherit; font-family: inherit; }
.swagger-ui .wrapper { max-width: none; padding: 0; }
.swagger-ui :is(.renderedMarkdown, .docs-about) p { margin: 0 0 0.5rem; }
.swagger-ui .renderedMarkdown ul { margin: 0.5rem 0; padding-left: 1.25rem; }
.swagger-ui .renderedMarkdown code, .docs-content-type { padding: 1px 5px; border-radius: 3px; background: var(--hover);
  color: var(--text); font: 500 0.8125rem/1.5 var(--mono); overflow-wrap: anywhere; }
.swagger-ui a { color: var(--accent); }

.docs-operation { margin: 0; font: inherit; }
.docs-operation button { display: flex; align-items: center; gap: 0.75rem; width: 100%; min-height: 44px;
  padding: 0.5rem 0.875rem; border: 0; border-radius: 9px; background: none; color: inherit; font: inherit;
  text-align: start; cursor: pointer; }
.docs-operation button:hover { background: var(--hover); }
.docs-method { flex: none; width: 4.25rem; padding: 2px 0; border-radius: 5px; background: var(--hover);
  font: 600 0.75rem/1.5 var(--mono); text-align: center; }
.docs-method-get { background: var(--get-soft); color: var(--get); }
.docs-method-post { background: var(--post-soft); color: var(--post); }
.docs-method-put { background: var(--put-soft); color: var(--put); }
.docs-method-patch { background: var(--patch-soft); color: var(--patch); }
.docs-method-delete { background: var(--delete-soft); color: var(--delete); }
.docs-what { display: flex; flex: 1; flex-wrap: wrap; align-items: baseline; gap: 0 0.75rem; min-width: 0; }
.docs-path { font: 500 0.8125rem/1.5 var(--mono); overflow-wrap: anywhere; }
.docs-summary { color: var(--dimmed); }
.docs-caller { flex: none; padding: 0 7px; border: 1px solid var(--border); border-radius: 5px; color: var(--dimmed);
  font-size: 0.75rem; }

.swagger-ui .opblock { margin: 0 0 0.5rem; border: 1px solid var(--border); border-radius: 10px; background: var(--body);
  box-shadow: none; }
.swagger-ui .opblock.is-open .docs-operation button { border-bottom: 1px solid var(--border);
  border-radius: 9px 9px 0 0; background: var(--surface); }
.swagger-ui .opblock-description-wrapper { margin: 0; padding: 1rem 1.25rem; }
.swagger-ui .opblock-section-header + * > .opblock-description-wrapper, .swagger-ui .opblock-section-header
  + .opblock-description-wrapper { padding-top: 0; }
.swagger-ui .opblock-description-wrapper p:last-child { margin-bottom: 0; }
.swagger-ui .opblock .opblock-section-header { min-height: 0; padding: 0.75rem 1.25rem; border: 0;
  border-top: 1px solid var(--border); background: none; box-shadow: none; }
.swagger-ui .opblock-body > .opblock-section:first-child > .opblock-section-header { border-top: 0; }
.swagger-ui .opblock-section-header h4, .swagger-ui :is(.responses-inner, .request-url, .curl-command) h4,
.swagger-ui :is(h4, h5).opblock-title { margin: 0; padding: 0; font-size: 0.875rem; font-weight: 600; }
.swagger-ui .responses-inner h4, .swagger-ui .responses-inner h5 { margin: 0 0 0.375rem; font-size: 0.8125rem;
  font-weight: 600; }
.swagger-ui .tab-header .tab-item { padding: 0; cursor: default; }
.swagger-ui .tab-header .tab-item.active h4 span::after { display: none; }
.swagger-ui .opblock-section-header > label { margin: 0; }
.swagger-ui .parameter__name { padding: 0; font: 500 0.8125rem/1.5 var(--mono); }
.swagger-ui h4.parameter__name { font: 600 0.875rem/1.5 var(--sans); }
.swagger-ui .parameter__name.required span, .swagger-ui .parameter__name.required::after { color: var(--bad); }
.swagger-ui :is(.parameter__type, .parameter__in, .prop-format) { padding: 0; color: var(--dimmed);
  font: 400 0.75rem/1.5 var(--mono); }

.swagger-ui .examples-select__section-label { display: block; margin-bottom: 0.25rem; font-weight: 500; font-size: 0.8125rem; }
.swagger-ui .examples-select { margin: 0; }
.swagger-ui :is(input, select, textarea), .docs-filter, .docs-dialog input { min-width: 0; max-width: 100%; margin: 0;
  padding: 0.4375rem 0.75rem; border: 1px solid var(--control); border-radius: 7px; background: var(--body);
  box-shadow: none; color: var(--text); font: 400 0.875rem/1.4 var(--sans); }
.swagger-ui select { padding-right: 1.75rem; appearance: auto; }
.swagger-ui select[disabled] { opacity: 1; color: var(--dimmed); }
.swagger-ui textarea { width: 100%; min-height: 13rem; font: 400 0.8125rem/1.6 var(--mono); }
.swagger-ui ::placeholder { color: var(--dimmed); opacity: 1; }
.swagger-ui :is(input, select, textarea).invalid { border-color: var(--bad); background: var(--body); animation: none; }
.swagger-ui .btn { padding: 0.4375rem 0.9375rem; border: 1px solid var(--control); border-radius: 7px;
  background: var(--body); box-shadow: none; color: var(--text); font: 600 0.8125rem/1.45 var(--sans); cursor: pointer; }
.swagger-ui .btn:hover { background: var(--hover); box-shadow: none; }
.swagger-ui :is(.btn.execute, .btn.btn-clear) { flex: none; width: auto; padding-inline: 0.9375rem; border-radius: 7px; }
.swagger-ui .btn.execute { border-color: var(--filled); background: var(--filled); color: #fff; }
.swagger-ui .btn.execute:hover { border-color: var(--filled-hover); background: var(--filled-hover); }
.swagger-ui .opblock .try-out { gap: 0.5rem; }
.swagger-ui :is(.execute-wrapper, .opblock .btn-group) { display: flex; gap: 0.5rem; padding: 0 1.25rem 1rem; }
.swagger-ui .execute-wrapper:empty { display: none; }
.swagger-ui .opblock .try-out.btn-group { padding: 0; }

.swagger-ui table { width: 100%; border-collapse: collapse; }
.swagger-ui table thead tr :is(th, td) { padding: 0.5rem 0.5rem 0.5rem 0; border-bottom: 1px solid var(--border);
  color: var(--dimmed); font: 500 0.75rem/1.5 var(--sans); text-align: start; }
.swagger-ui table tbody tr td { padding: 0.75rem 0.75rem 0.75rem 0; border-bottom: 1px solid var(--border);
  vertical-align: top; }
.swagger-ui table tbody tr:last-child > td { border-bottom: 0; }
.swagger-ui :is(.table-container, .responses-inner) { padding: 0 1.25rem 1rem; }
.swagger-ui .response-col_status { width: 5rem; }
.swagger-ui td.response-col_status { font: 600 0.8125rem/1.6 var(--mono); }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .response-undocumented, .swagger-ui .response-undocumented i { color: var(--dimmed); }
.swagger-ui .parameters-col_description { width: auto; }
.swagger-ui table.parameters td:first-child { width: 9rem; min-width: 0; max-width: none; }
.swagger-ui .response-controls { align-items: center; gap: 0.5rem 1rem; margin: 0.375rem 0 0; padding: 0; }
.swagger-ui .response-control-media-type { display: flex; flex-wrap: wrap; align-items: center; gap: 0.375rem; padding: 0; }
.swagger-ui .response-control-media-type select { border-color: var(--control); }
.swagger-ui :is(.response-control-media-type__title, .response-control-media-type__accept-message,
  .response-control-examples__title) { margin: 0; color: var(--dimmed); font-size: 0.75rem; }
.swagger-ui .response-control-media-type__accept-message code { font-family: var(--mono); }
.swagger-ui .headers-wrapper { padding: 0; }
.swagger-ui .headers__title { padding: 0.75rem 0 0; }
.swagger-ui .headers .header-col { padding: 0.25rem 0.75rem 0.25rem 0; border: 0; font-size: 0.8125rem; }
.swagger-ui .headers td.header-col:is(:first-child, :last-child) { font-family: var(--mono); overflow-wrap: anywhere; }
.swagger-ui td > h5 { margin-top: 0.75rem; }
.swagger-ui .headerline { font-family: var(--mono); font-size: 0.8125rem; }
.swagger-ui .live-responses-table { margin-bottom: 1rem; }

.swagger-ui .tab { margin: 0.75rem 0 0.375rem; gap: 0.25rem; }
.swagger-ui .tab li { min-width: 0; padding: 0; }
.swagger-ui .tab li:first-of-type::after { display: none; }
.swagger-ui .tab .tablinks { min-height: 24px; padding: 0.125rem 0.5rem; border-radius: 5px; color: var(--dimmed); font-size: 0.8125rem;
  font-weight: 500; cursor: pointer; }
.swagger-ui .tab .tabitem.active .tablinks { background: var(--hover); color: var(--text); }
.swagger-ui :is(.opblock-body, .responses-inner, .request-url) pre, .swagger-ui .highlight-code > .microlight {
  max-height: 26rem; margin: 0; padding: 0.75rem 1rem; overflow: auto; border: 1px solid var(--border); border-radius: 7px;
  background: var(--surface); color: var(--text); font: 400 0.8125rem/1.6 var(--mono); white-space: pre-wrap;
  overflow-wrap: anywhere; word-break: normal; }
.swagger-ui pre code { padding: 0; word-break: normal; background: none; color: inherit; font: inherit; }
.swagger-ui .request-url { margin-block: 1rem; }
.docs-json-name { color: var(--get); }
.docs-json-string { color: var(--post); }
.docs-json-value { color: var(--put); }
.swagger-ui :is(.highlight-code, .curl-command) { position: relative; }
.swagger-ui .copy-to-clipboard { right: 0.5rem; bottom: 0.5rem; width: 28px; height: 28px; border-radius: 5px;
  background: var(--copy); }
.swagger-ui .curl-command .copy-to-clipboard { width: 28px; height: 28px; }
.swagger-ui .copy-to-clipboard button { height: 28px; }
.swagger-ui .copy-to-clipboard + .download-contents { right: 2.75rem; }
.swagger-ui .download-contents { right: 0.5rem; bottom: 0.5rem; width: auto; height: 28px; padding: 0 0.625rem;
  border: 1px solid var(--control); border-radius: 5px; background: var(--body); color: var(--text);
  font: 500 0.75rem/1 var(--sans); }
.swagger-ui :is(.errors-wrapper, .validation-errors) { margin: 0 1.25rem 1rem; border: 1px solid var(--bad);
  border-radius: 7px; background: none; color: var(--bad); animation: none; }

.swagger-ui section.models { margin: 0; padding: 0; border: 0; }
.swagger-ui section.models > h4 { margin: 0 0 0.625rem; padding: 0; border: 0; color: var(--text); }
.swagger-ui section.models > h4 :is(span, svg) { color: inherit; fill: currentColor; font-size: 1rem; }
.swagger-ui section.models .json-schema-2020-12 { margin: 0; padding: 0.125rem 0 0.125rem 0.75rem; border: 0; }
.swagger-ui section.models .json-schema-2020-12:not(.json-schema-2020-12 *) { margin: 0 0 0.5rem;
  padding: 0.625rem 0.875rem; border: 1px solid var(--border); border-radius: 10px; }
.swagger-ui .json-schema-2020-12 .json-schema-2020-12 .json-schema-2020-12-expand-deep-button { display: none; }
.swagger-ui .json-schema-2020-12, .swagger-ui .json-schema-2020-12--embedded { background: none; font-family: var(--sans);
  overflow-wrap: anywhere; }
.swagger-ui .model-container { margin: 0; padding: 0.75rem 1rem; border: 1px solid var(--border); border-radius: 7px;
  background: var(--surface); }
.swagger-ui .model-box { padding: 0; background: none; }
.swagger-ui .json-schema-2020-12-accordion { min-height: 24px; background: none; color: inherit; }
.swagger-ui .json-schema-2020-12-accordion__icon svg { fill: var(--dimmed); }
.swagger-ui .json-schema-2020-12-expand-deep-button { min-height: 24px; background: none; color: var(--accent); font: 500 0.75rem/1.5 var(--sans); }
.swagger-ui [class*="json-schema-2020-12"][class*="title"], .swagger-ui .json-schema-2020-12__title { color: var(--text);
  font: 500 0.8125rem/1.5 var(--mono); }
.swagger-ui :is(.json-schema-2020-12-keyword__name, .json-schema-2020-12-keyword__value, .json-schema-2020-12__attribute,
  .json-schema-2020-12-json-viewer__name, .json-schema-2020-12-json-viewer__value, .json-schema-2020-12-keyword--description,
  .json-schema-2020-12-property--required > .json-schema-2020-12:first-of-type > .json-schema-2020-12-head) {
  color: var(--dimmed); font-size: 0.75rem; }
.swagger-ui .json-schema-2020-12__attribute--primary { color: var(--violet); text-transform: none; }
.swagger-ui .json-schema-2020-12__attribute--warning, .swagger-ui .json-schema-2020-12-keyword__value--warning,
.swagger-ui .json-schema-2020-12-json-viewer__value--warning { border-color: currentColor; color: var(--bad); }
.swagger-ui .json-schema-2020-12__constraint { background: var(--hover); color: var(--text); }
.swagger-ui .json-schema-2020-12__constraint--string { background: var(--get-soft); color: var(--get); }
.swagger-ui .json-schema-2020-12-property--required > .json-schema-2020-12:first-of-type > .json-schema-2020-12-head
  .json-schema-2020-12__title::after { color: var(--bad); }
.swagger-ui .json-schema-2020-12-body { border-left: 1px solid var(--border); }

@media (max-width: 48em) {
  .docs-operation button { flex-wrap: wrap; gap: 0.25rem 0.5rem; }
  .docs-what { order: 1; flex-basis: 100%; }
  .docs-caller { margin-left: auto; }
  .docs-caller + .docs-caller { margin-left: 0; }
  .swagger-ui :is(.table-container, .responses-inner, .opblock-description-wrapper) { padding-inline: 0.875rem; }
  .swagger-ui .opblock .opblock-section-header { padding-inline: 0.875rem; }
  .swagger-ui :is(.responses-table, .parameters) > thead { position: absolute; clip-path: inset(50%); }
  .swagger-ui :is(.responses-table, .parameters), .swagger-ui :is(.responses-table, .parameters) > tbody,
  .swagger-ui :is(.responses-table, .parameters) > tbody > tr,
  .swagger-ui :is(.responses-table, .parameters) > tbody > tr > td { display: block; width: auto; }
  .swagger-ui :is(.execute-wrapper, .opblock .btn-group) { padding-inline: 0.875rem; }
  .swagger-ui :is(.responses-table, .parameters) > tbody > tr > td { padding-inline: 0; }
  .swagger-ui :is(.responses-table, .parameters) > tbody > tr > td:first-child { padding-bottom: 0; border: 0; }
}
`;
