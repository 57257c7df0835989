import type { ProviderCall } from '../../contract/provider.adapter.js';
import { type NameForm, ToolRenaming } from '../tool-renaming.js';

/**
 * `FunctionDeclaration.name` of Google's SDK: "Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or
 * contain underscores, dots, colons and dashes, with a maximum length of 128."
 */
const FORM: NameForm = {
  taken: /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/,
  mended: (name) =>
    name
      .replace(/[^A-Za-z0-9_.:-]/g, '_')
      .replace(/^(?![A-Za-z_])/, '_')
      .slice(0, 128),
};

export function functionNames({ request }: ProviderCall): ToolRenaming {
  return new ToolRenaming(request.tools, FORM);
}
