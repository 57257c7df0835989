import { isObject, type JsonObject, objectOf, objectsOf } from '../../contract/json.js';
import type { Dialect } from '../openai/dialect.js';
import { supporting } from '../shared/capabilities.js';
import { NO_PARAMETERS } from '../shared/offered-tools.js';
import { COMMON_FIELDS } from '../shared/request-fields.js';
import { CitedSources } from './citations.js';
import { alternating } from './messages.js';

/** Perplexity's models always search the web. A stream has no end marker. */
export const perplexityDialect: Dialect = {
  protocol: 'perplexity',
  capabilities: supporting(['json_schema', 'image_address', 'web_search']),
  fields: {
    only: [
      ...COMMON_FIELDS,
      'disable_search',
      'enable_search_classifier',
      'language_preference',
      'last_updated_after_filter',
      'last_updated_before_filter',
      'parallel_tool_calls',
      'return_images',
      'return_related_questions',
      'search_after_date_filter',
      'search_before_date_filter',
      'search_domain_filter',
      'search_mode',
      'search_recency_filter',
      'top_k',
      'web_search_options',
    ],
  },
  messageFields: { only: ['role', 'content', 'tool_calls', 'tool_call_id'] },
  imageDetails: [],
  adaptMessage: withContent,
  adaptFunction: withDescription,
  // From the package perplexityai.
  efforts: () => ['minimal', 'low', 'medium', 'high'],
  outputLimit: 'max_tokens',
  streamUsage: 'always',
  developerRole: false,
  adaptConversation: alternating,
  adjust(body) {
    if (isObject(body.tool_choice)) chooseOne(body, body.tool_choice);
    if (isObject(body.web_search_options)) body.web_search_options = searchOptions(body.web_search_options);
  },

  reasoningFields: ['reasoning_content', 'reasoning'],
  extras: () => new CitedSources(),
};

/** Content may be null, but must not be missing. */
function withContent(message: JsonObject): JsonObject {
  return message.content === undefined ? { ...message, content: null } : message;
}

/** A function requires a description and parameters (`FunctionSpecInput` of the package perplexityai). */
function withDescription(described: JsonObject): JsonObject {
  const { name, description = name, parameters = NO_PARAMETERS } = described;
  const isWhole = description === described.description && parameters === described.parameters;
  return isWhole ? described : { ...described, description, parameters };
}

/** Offers only the function that must be called, as the API cannot choose a function by name. */
function chooseOne(body: JsonObject, { function: chosen }: JsonObject): void {
  const { name } = objectOf(chosen);
  const offered = objectsOf(body.tools).filter((tool) => objectOf(tool.function).name === name);
  delete body.tools;
  delete body.tool_choice;
  if (offered.length > 0) Object.assign(body, { tools: offered, tool_choice: 'required' });
}

/** The user's location is flat and has no timezone (`UserLocationInput`). */
function searchOptions({ user_location: place, ...options }: JsonObject): JsonObject {
  const approximate = isObject(place) && isObject(place.approximate) ? place.approximate : place;
  if (!isObject(approximate)) return options;
  const { timezone: _, type: __, ...user_location } = approximate;
  return { ...options, user_location };
}
