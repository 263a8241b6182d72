import { named, namedAlone } from '../names.ts'
import { type FactSource, type FamilyRow, said, type SourcedFacts } from '../row.ts'

const API = { from: 'openai/openai-node, types of chat completions and responses', at: '2026-08' }
const AZURE = { from: 'https://learn.microsoft.com/azure/ai-foundry/openai/how-to/reasoning', at: '2026-07' }
const LATEST_MODEL_GUIDE = { from: 'https://developers.openai.com/api/docs/guides/latest-model', at: '2026-11' }
const reported = (from: string, at: string): FactSource => ({ from, at })

/** What every model of OpenAI's own API refuses or takes. */
const OPENAI: SourcedFacts = {
  ...said(API, {
    temperature_most: 2,
    stops: 4,
    most_tools: 128,
    top_k: 'refused',
    service_tier: true,
    verbosity: false,
    cache_key: true,
    image_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  }),
  ...said(reported('antinomyhq/forgecode#1359', '2025-08'), {
    tool_schema: ['properties', 'items', 'no_tuples', 'no_top_level_choice'],
  }),
  // Their own endpoint never gives the text of reasoning, and knows no field for it.
  ...said(API, { past_reasoning: 'refused' }),
}

/** Models that do not reason. */
const PLAIN: SourcedFacts = {
  ...OPENAI,
  ...said(reported('BerriAI/litellm#13781', '2025-08'), { reasoning: 'none', reasons_unasked: false }),
  ...said(reported('pydantic/pydantic-ai#2865', '2025-09'), { encrypted_reasoning: false }),
}

/** Models that reason, and then take no sampling, nor a stop. */
const REASONING: SourcedFacts = {
  ...OPENAI,
  ...said(AZURE, {
    reasoning: 'effort',
    efforts: ['low', 'medium', 'high'],
    reasoning_off: 'never',
    reasons_unasked: true,
    temperature: 'not_while_reasoning',
    top_p: 'not_while_reasoning',
    penalties: 'not_while_reasoning',
    logit_bias: 'not_while_reasoning',
    logprobs: 'not_while_reasoning',
  }),
  ...said(reported('langfuse/langfuse#5349', '2025-02'), { limit_field: 'max_completion_tokens' }),
}

const O_SERIES: SourcedFacts = {
  ...REASONING,
  ...said(reported('langgenius/dify#18971', '2025-04'), { stops: 0 }),
  ...said(reported('langchain-ai/open-swe#628', '2025-07'), { parallel_tool_calls: false }),
  ...said(API, { most_output: 100_000 }),
}

const FIFTH: SourcedFacts = {
  ...REASONING,
  ...said(API, { verbosity: true, most_output: 128_000 }),
  ...said(reported('huggingface/smolagents#1671', '2025-08'), { stops: 0 }),
}

/** GPT-5.1 and later: `none` is a word; they reason when they are asked to. */
const WITH_NONE: SourcedFacts = {
  ...FIFTH,
  ...said(AZURE, {
    efforts: ['none', 'low', 'medium', 'high'],
    reasoning_off: 'effort_none',
    reasons_unasked: false,
  }),
}

/** GPT-5.4 and later: tools on chat completions exclude reasoning. */
const FOURTH_STEP: SourcedFacts = {
  ...WITH_NONE,
  ...said(AZURE, { efforts: ['none', 'low', 'medium', 'high', 'xhigh'] }),
  ...said(reported('pipecat-ai/pipecat#4043', '2026-03'), { chat_tools: 'not_while_reasoning' }),
}

const UNASKED = said(reported('UKGovernmentBEIS/inspect_ai#5242', '2026-09'), { reasons_unasked: true })
const WITH_MAX = said(reported('sst/opencode#36141', '2026-07'), {
  efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
})

/** GPT on Bedrock's Converse takes an effort in `reasoning`. */
const ON_CONVERSE: FamilyRow['on'] = {
  'bedrock-converse': said(reported('stdapi-ai/stdapi.ai#283', '2026-09'), { extra_fields: 'reasoning' }),
}

/** The chat models of 5.1 and later think at one effort. */
const CHATTING = said(reported('pydantic/pydantic-ai, profiles/openai.py', '2026-07'), {
  efforts: ['medium'],
  most_output: 16_384,
})
const SINGLE = said(AZURE, { efforts: ['high'], most_output: 272_000 })

/** OpenAI's models, the special before the general. */
export const OPENAI_ROWS: readonly FamilyRow[] = [
  {
    family: 'gpt-oss',
    maker: 'OpenAI',
    names: named('gpt-oss'),
    examples: ['openai/gpt-oss-120b', 'gpt-oss:20b', 'openai.gpt-oss-120b-1:0'],
    facts: said(reported('pydantic/pydantic-ai, providers/cerebras.py', '2026-07'), {
      reasoning: 'effort',
      efforts: ['low', 'medium', 'high'],
      reasoning_off: 'never',
      reasons_unasked: true,
      image_types: [],
    }),
    on: {
      'bedrock-converse': {
        ...said(reported('crewAIInc/crewAI#3317', '2025-08'), { stops: 0 }),
        ...said(reported('langchain-ai/docs#5239', '2026-07'), { extra_fields: 'reasoning_effort' }),
      },
    },
  },
  {
    family: 'gpt-3.5, gpt-4 of old',
    maker: 'OpenAI',
    names: named('gpt-3\\.?5|gpt-4(?:-(?:32k|0\\d{3}|1106|0125))?(?![a-z0-9.-])'),
    examples: ['gpt-3.5-turbo', 'gpt-35-turbo-16k', 'gpt-4', 'gpt-4-0613'],
    facts: {
      ...PLAIN,
      ...said(reported('anomalyco/models.dev, providers/openai', '2026-07'), { image_types: [], most_output: 8_192 }),
      ...said(API, { format: 'json' }),
    },
  },
  {
    family: 'search previews',
    maker: 'OpenAI',
    names: named('gpt-[\\w.-]*search-(?:preview|api)'),
    examples: ['gpt-4o-search-preview', 'gpt-5-search-api'],
    facts: {
      ...PLAIN,
      ...said(reported('ChatGPTNextWeb/NextChat#6569', '2025-07'), {
        temperature: 'refused',
        top_p: 'refused',
        penalties: 'refused',
        most_tools: 0,
      }),
    },
  },
  {
    family: 'gpt-5-chat',
    maker: 'OpenAI',
    names: named('gpt-5-chat'),
    examples: ['gpt-5-chat-latest', 'openai/gpt-5-chat'],
    facts: { ...PLAIN, ...said(API, { most_output: 16_384 }) },
  },
  {
    family: 'gpt-5.1-chat and later',
    maker: 'OpenAI',
    names: named('gpt-\\d+\\.\\d+-chat'),
    examples: ['gpt-5.1-chat-latest', 'gpt-5.3-chat'],
    facts: { ...FIFTH, ...CHATTING },
  },
  {
    family: 'gpt-6-astra, gpt-6.1',
    maker: 'OpenAI',
    names: named('gpt-6(?:-astra|\\.\\d)'),
    examples: ['gpt-6-astra', 'openai/gpt-6.1-sol'],
    facts: {
      ...FIFTH,
      ...said(reported('bolna-ai/bolna#1019', '2026-09'), {
        efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
        reasoning_off: 'never',
        chat_tools: 'refused',
      }),
    },
    on: ON_CONVERSE,
  },
  {
    family: 'pro models of gpt-5.2 and later',
    maker: 'OpenAI',
    names: named('gpt-\\d+\\.\\d+-pro'),
    examples: ['gpt-5.2-pro', 'gpt-5.4-pro-2026-03-05'],
    facts: {
      ...FIFTH,
      ...said(reported('pydantic/pydantic-ai, profiles/openai.py', '2026-07'), {
        efforts: ['medium', 'high', 'xhigh'],
        chat_tools: 'refused',
      }),
    },
  },
  {
    family: 'gpt-5.6, gpt-6',
    maker: 'OpenAI',
    names: named('gpt-(?:5\\.(?:[6-9]|\\d\\d)|[6-9]|\\d\\d)(?![a-z0-9])'),
    examples: ['gpt-5.6', 'openai/gpt-5.6-sol', 'gpt-6-luna-2026-10-01'],
    facts: {
      ...FOURTH_STEP,
      ...UNASKED,
      ...WITH_MAX,
      ...said(LATEST_MODEL_GUIDE, { temperature: 'not_while_reasoning', top_p: 'not_while_reasoning' }),
    },
    on: ON_CONVERSE,
  },
  {
    family: 'gpt-5.5',
    maker: 'OpenAI',
    names: named('gpt-5\\.5(?![a-z0-9])'),
    examples: ['gpt-5.5', 'azure/gpt-5.5-2026-06-01'],
    facts: { ...FOURTH_STEP, ...UNASKED },
  },
  {
    family: 'gpt-5.4',
    maker: 'OpenAI',
    names: named('gpt-5\\.4(?![a-z0-9])'),
    examples: ['gpt-5.4', 'gpt-5.4-mini', 'openrouter/openai/gpt-5.4-nano'],
    facts: FOURTH_STEP,
  },
  {
    family: 'gpt-5.1-codex-max, gpt-5.2-codex',
    maker: 'OpenAI',
    names: named('gpt-5\\.(?:1-codex-max|2-codex)'),
    examples: ['gpt-5.1-codex-max', 'gpt-5.2-codex'],
    facts: {
      ...FIFTH,
      ...said(reported('anomalyco/models.dev, providers/openai', '2026-07'), {
        efforts: ['low', 'medium', 'high', 'xhigh'],
      }),
    },
  },
  {
    family: 'gpt-5-codex, gpt-5.1-codex',
    maker: 'OpenAI',
    names: named('gpt-5(?:\\.1)?-codex'),
    examples: ['gpt-5-codex', 'gpt-5.1-codex-mini'],
    facts: FIFTH,
  },
  {
    family: 'gpt-5.2, gpt-5.3',
    maker: 'OpenAI',
    names: named('gpt-5\\.[23](?![a-z0-9])'),
    examples: ['gpt-5.2', 'gpt-5.3-codex', 'gpt-5.2-2025-12-11'],
    facts: { ...WITH_NONE, ...said(AZURE, { efforts: ['none', 'low', 'medium', 'high', 'xhigh'] }) },
  },
  {
    family: 'gpt-5.1',
    maker: 'OpenAI',
    names: named('gpt-5\\.1(?![a-z0-9])'),
    examples: ['gpt-5.1', 'openai/gpt-5.1-2025-11-13'],
    facts: WITH_NONE,
  },
  {
    family: 'gpt-5-pro',
    maker: 'OpenAI',
    names: named('gpt-5-pro'),
    examples: ['gpt-5-pro', 'gpt-5-pro-2025-10-06'],
    facts: { ...FIFTH, ...SINGLE },
  },
  {
    family: 'gpt-5',
    maker: 'OpenAI',
    names: named('gpt-5(?![a-z0-9.])'),
    examples: ['gpt-5', 'gpt-5-mini-2025-08-07', 'prod-gpt-5-nano'],
    facts: { ...FIFTH, ...said(AZURE, { efforts: ['minimal', 'low', 'medium', 'high'] }) },
  },
  {
    family: 'o1-mini, o1-preview',
    maker: 'OpenAI',
    names: namedAlone('o1-(?:mini|preview)'),
    examples: ['o1-mini', 'openai/o1-preview-2024-09-12'],
    facts: {
      ...O_SERIES,
      ...said(reported('pydantic/pydantic-ai#974', '2025-02'), { system_role: 'user' }),
      ...said(reported('anomalyco/models.dev, providers/openai', '2026-07'), {
        efforts: [],
        most_tools: 0,
        image_types: [],
        most_output: 65_536,
      }),
    },
  },
  {
    family: 'o3-mini',
    maker: 'OpenAI',
    names: namedAlone('o3-mini'),
    examples: ['o3-mini', 'azure/o3-mini-2025-01-31'],
    facts: { ...O_SERIES, ...said(reported('anomalyco/models.dev, providers/openai', '2026-07'), { image_types: [] }) },
  },
  {
    family: 'deep research',
    maker: 'OpenAI',
    names: namedAlone('o\\d(?:-mini)?-deep-research'),
    examples: ['o3-deep-research', 'o4-mini-deep-research-2025-06-26'],
    facts: {
      ...O_SERIES,
      ...said(reported('anomalyco/models.dev, providers/openai', '2026-07'), { efforts: ['medium'] }),
    },
  },
  {
    family: 'o-series',
    maker: 'OpenAI',
    names: namedAlone('o\\d+(?![a-z0-9])'),
    examples: ['o1', 'o3-pro', 'openai/o4-mini-2025-04-16'],
    facts: O_SERIES,
  },
  {
    family: 'gpt-4o, gpt-4.1, gpt-4-turbo',
    maker: 'OpenAI',
    names: named('(?:chat)?gpt-4'),
    examples: [
      'gpt-4o',
      'chatgpt-4o-latest',
      'gpt-4.1-mini',
      'gpt-4-turbo-2024-04-09',
      'ft:gpt-4.1-2025-04-14:acme::x',
    ],
    facts: {
      ...PLAIN,
      ...said(reported('anomalyco/models.dev, providers/openai', '2026-07'), { most_output: 32_768 }),
    },
  },
]
