const columns = {
  json_object: 'JSON mode',
  json_schema: 'JSON schema',
  multiple_choices: '`n` > 1',
  logprobs: 'logprobs',
  logit_bias: 'logit bias',
  audio_input: 'audio in',
  audio_output: 'audio out',
  file_input: 'files',
  image_address: 'image by address',
  custom_tools: 'custom tools',
  functions: '`functions`',
  web_search: 'web search',
};

/** The table of docs/upstreams.md: a row for each adapter. */
export function tableOfUpstreams(providers) {
  const rows = [...providers]
    .sort((a, b) => a.protocol.localeCompare(b.protocol))
    .map(({ protocol, framing, auth, capabilities }) => [
      `\`${protocol}\``,
      auth.header ? `\`${auth.header}\`` : auth.kind,
      framing,
      ...Object.keys(columns).map((name) => word(capabilities[name])),
    ]);
  return table(['protocol', 'credential', 'framing', ...Object.values(columns)], rows);
}

/** In Markdown. */
export function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function word(capability) {
  if (capability === undefined) return '·';
  return capability ? 'yes' : 'no';
}
