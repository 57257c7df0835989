import { viewerPage } from './viewer.page.js';
import { viewerParts } from './viewer.parts.js';

/**
 * The console's adaptations of Swagger UI: a script for the browser that defines `consolePlugin`. It uses the viewer's
 * own React, which is `system.React` in each of its components.
 */
export const viewerPlugin = `${viewerPage}
${viewerParts}
const consolePlugin = () => ({
  components: { ConsoleLayout },
  fn: { opsFilter: operationsThatMatch },
  wrapComponents: {
    OperationTag: (_original, system) => ofSystem(system, OperationTag),
    OperationSummary: (_original, system) => ofSystem(system, OperationSummary),
    SyntaxHighlighter: (_original, system) => ofSystem(system, Code),
    contentType: (_original, system) => ofSystem(system, ContentType),
    operation: onlyTriedWithKeys,
    responses: withHeadCells,
    liveResponse: withHeadCells,
    ExamplesSelect: withNamedSelect,
    TextArea: withNamedTextArea,
    JSONSchema202012Accordion: withExpandedState,
  },
});
`;
