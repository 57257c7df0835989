/**
 * "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'none',
 * 'low', 'medium', 'high', 'xhigh'." (GPT-5.6); OpenAI's guide to reasoning for the others.
 */
export function openAiEfforts(model: string): readonly string[] | undefined {
  if (/-pro\b|-chat\b|codex/.test(model)) return undefined;
  if (/^gpt-5\.[2-9]/.test(model)) return ['none', 'low', 'medium', 'high', 'xhigh'];
  if (/^gpt-5\.1/.test(model)) return ['none', 'low', 'medium', 'high'];
  if (/^gpt-5(?:-|$)/.test(model)) return ['minimal', 'low', 'medium', 'high'];
  return /^o[134](?:-|$)/.test(model) ? ['low', 'medium', 'high'] : undefined;
}
