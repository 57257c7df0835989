import type { ChatTool } from '../../contract/chat.types.js';
import { type NameForm, ToolRenaming } from '../tool-renaming.js';

/** The API takes letters, digits and `_`, with no digit first. */
const FORM: NameForm = {
  taken: /^[A-Za-z_][A-Za-z0-9_]*$/,
  mended: (name) => name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d|$)/, '_'),
};

export class ToolNames extends ToolRenaming {
  constructor(tools?: readonly ChatTool[]) {
    super(tools, FORM);
  }
}
