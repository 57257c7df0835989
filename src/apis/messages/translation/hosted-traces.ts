/** Whether a block is the call or the result of a tool that the provider ran. */
export function isHostedTrace({ type }: { readonly type: string }): boolean {
  return type === 'server_tool_use' || type === 'mcp_tool_use' || (type !== 'tool_result' && RESULT.test(type));
}

/** `web_search_tool_result`, `code_execution_tool_result`, `mcp_tool_result` … */
const RESULT = /_tool_result$/;
