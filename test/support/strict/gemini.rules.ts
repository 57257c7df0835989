import { isObject, objectOf, objectsOf, type ReadonlyJsonObject } from '../../../src/upstreams/contract/json.js';
import { type RefusalRule, unknownFields, wordsOf } from './refusal-rule.js';

const FIELDS = wordsOf(
  'contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent labels serviceTier store',
);
const GENERATION_FIELDS = wordsOf(
  'stopSequences responseMimeType responseSchema responseJsonSchema _responseJsonSchema responseFormat responseModalities candidateCount maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs logprobs enableEnhancedCivicAnswers speechConfig thinkingConfig mediaResolution audioTranscriptionConfig',
);
/** Keywords of JSON Schema that `parameters` does not have. */
const FOREIGN_KEYWORDS = [
  '$schema',
  'additionalProperties',
  'const',
  '$ref',
  '$defs',
  'exclusiveMinimum',
  'exclusiveMaximum',
];
const REFERENCE = 'ai.google.dev/api/generate-content';

const partsOf = ({ parts }: ReadonlyJsonObject) => objectsOf(parts);
const contentsOf = ({ contents }: ReadonlyJsonObject) => objectsOf(contents);
const modelOf = (path: string) => /models\/([^:]+):/.exec(path)?.[1] ?? '';

/** generateContent with the models of autumn 2026. */
export const GEMINI_RULES: readonly RefusalRule[] = [
  {
    refuses: 'unknown fields',
    source: 'a recorded answer: "Cannot find field."',
    check: (body) => {
      const [name] = unknownFields(body, FIELDS);
      if (name) return `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`;
      const [inner] = unknownFields(objectOf(body.generationConfig), GENERATION_FIELDS);
      return (
        inner && `Invalid JSON payload received. Unknown name "${inner}" at 'generation_config': Cannot find field.`
      );
    },
  },
  {
    refuses: 'penalties',
    source: 'docs.cloud.google.com/gemini-enterprise-agent-platform/models/guides (3.5 Flash-Lite and later)',
    check: ({ generationConfig }, { path }) => {
      const { presencePenalty, frequencyPenalty } = objectOf(generationConfig);
      return presencePenalty || frequencyPenalty ? `Penalty is not enabled for models/${modelOf(path)}` : null;
    },
  },
  {
    refuses: 'the thinking level MINIMAL on Gemini 3.8',
    source: 'docs.cloud.google.com/gemini-enterprise-agent-platform/models/guides/gemini-3-8-flash',
    check: ({ generationConfig }, { path }) => {
      const { thinkingLevel } = objectOf(objectOf(generationConfig).thinkingConfig);
      return modelOf(path).includes('3.8') && String(thinkingLevel).toUpperCase() === 'MINIMAL'
        ? 'thinking_level MINIMAL is not supported by this model.'
        : null;
    },
  },
  {
    refuses: 'a conversation without contents or one that ends with the model',
    source: 'ai.google.dev/gemini-api/docs/changelog, 2026-07-21',
    check: (body) => {
      const contents = contentsOf(body);
      if (contents.length === 0) return 'GenerateContentRequest.contents: contents is not specified';
      return contents.at(-1)?.role === 'model' ? 'Please ensure that the last content has role user.' : null;
    },
  },
  {
    refuses: 'contents without parts',
    source: REFERENCE,
    check: (body) => {
      const at = contentsOf(body).findIndex((content) => partsOf(content).length === 0);
      return at < 0 ? null : `* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.`;
    },
  },
  {
    refuses: 'a function call without the thought signature that came with it',
    source: 'github.com/agentjido/req_llm/pull/427',
    check: (body) => {
      for (const [at, content] of contentsOf(body).entries()) {
        const [first] = partsOf(content).filter(({ functionCall }) => isObject(functionCall));
        if (first && !first.thoughtSignature) {
          return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Additional data, function call \`default_api:${objectOf(first.functionCall).name}\` , position ${at + 1}.`;
        }
      }
      return null;
    },
  },
  {
    refuses: 'another number of results than of calls',
    source: 'github.com/google-gemini/gemini-cli/issues/16415',
    check: (body) => {
      const contents = contentsOf(body);
      const isUneven = contents.some((content, at) => {
        const calls = partsOf(content).filter((part) => part.functionCall).length;
        const results = partsOf(contents[at + 1] ?? {}).filter((part) => part.functionResponse).length;
        return calls > 0 && calls !== results;
      });
      return isUneven
        ? 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
        : null;
    },
  },
  {
    refuses: 'a reference within a function response',
    source: 'github.com/vercel/ai/issues/14369',
    check: (body) => {
      const responses = contentsOf(body)
        .flatMap(partsOf)
        .map((part) => objectOf(part.functionResponse).response);
      const [, name] =
        responses.map((one) => /"\$ref":"([^"]*)"/.exec(JSON.stringify(one ?? null))).find(Boolean) ?? [];
      return name === undefined
        ? null
        : `The referenced name \`${name}\` in function_response.response does not match to a display_name in the function_response.parts.`;
    },
  },
  {
    refuses: 'keywords of JSON Schema in parameters, and other names of functions',
    source: REFERENCE,
    check: ({ tools }) => {
      const functions = objectsOf(tools).flatMap(({ functionDeclarations }) => objectsOf(functionDeclarations));
      for (const { name, parameters } of functions) {
        if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/.test(String(name))) return `Invalid function name ${name}`;
        const keyword = foreignKeyword(parameters);
        if (keyword) {
          return `Invalid JSON payload received. Unknown name "${keyword}" at 'tools[0].function_declarations[0].parameters': Cannot find field.`;
        }
      }
      return null;
    },
  },
];

function foreignKeyword(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  const found = FOREIGN_KEYWORDS.find((keyword) => keyword in schema);
  return found ?? [...Object.values(objectOf(schema.properties)), schema.items].map(foreignKeyword).find(Boolean);
}
