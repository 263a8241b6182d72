import { named } from '../names.ts'
import { type FamilyRow, said, type SourcedFacts } from '../row.ts'

const MIMO = { from: 'chatboxai/chatbox#3716', at: '2026-05' }
const MINIMAX = { from: 'MiniMax-AI/MiniMax-M2#51', at: '2025-11' }
const DOUBAO = { from: 'anomalyco/models.dev#5564', at: '2026-08' }
const COHERE = { from: 'cohere-ai/cohere-developer-experience, compatibility API', at: '2026-08' }
const BEDROCK = { from: 'Amazon Bedrock User Guide, supported models and model features', at: '2026-11' }
const SONAR = { from: 'https://docs.perplexity.ai/api-reference/chat-completions-post', at: '2026-06' }

const M2: SourcedFacts = {
  ...said(MINIMAX, {
    system_messages: 'one',
    reasoning: 'effort',
    efforts: [],
    reasoning_off: 'never',
    reasons_unasked: true,
    choices: false,
  }),
  ...said({ from: 'crewAIInc/crewAI#4843', at: '2026-03' }, { temperature_least: 0.01, temperature_most: 1 }),
}

/** Makers of few families. */
export const OTHER_ROWS: readonly FamilyRow[] = [
  {
    family: 'minimax-m3',
    maker: 'MiniMax',
    names: named('minimax-m[3-9]'),
    examples: ['MiniMax-M3', 'minimax/minimax-m3'],
    facts: {
      ...M2,
      ...said({ from: 'sst/opencode, provider/transform.ts', at: '2026-09' }, { reasoning_off: 'thinking_disabled' }),
    },
  },
  {
    family: 'minimax-m1, minimax-m2',
    maker: 'MiniMax',
    names: named('minimax'),
    examples: ['MiniMax-M2', 'minimax/minimax-m2.5'],
    facts: {
      ...M2,
      ...said({ from: 'crewAIInc/crewAI#4843', at: '2026-03' }, { format: 'none' }),
      ...said({ from: 'anomalyco/models.dev, providers/minimax', at: '2026-07' }, { image_types: [] }),
    },
  },
  {
    family: 'mimo',
    maker: 'Xiaomi',
    names: named('mimo-'),
    examples: ['mimo-v2-flash', 'xiaomi/mimo-v2.5'],
    facts: {
      ...said(MIMO, {
        reasoning: 'effort',
        efforts: [],
        reasoning_off: 'thinking_disabled',
        reasons_unasked: true,
        past_reasoning: 'with_tools',
      }),
      ...said({ from: 'XiaomiMiMo/MiMo-V2-Flash#8', at: '2025-12' }, { empty_content: false }),
      ...said({ from: 'mnfst/modelparams.dev', at: '2026-08' }, { format: 'json' }),
    },
  },
  {
    family: 'doubao, seed',
    maker: 'ByteDance',
    names: named('doubao|seed-[12]'),
    examples: ['doubao-seed-1-6-251015', 'bytedance-seed/seed-2.0-pro'],
    facts: said(DOUBAO, {
      reasoning: 'effort',
      efforts: ['minimal', 'low', 'medium', 'high'],
      reasoning_off: 'thinking_disabled',
      reasons_unasked: true,
    }),
  },
  {
    family: 'command',
    maker: 'Cohere',
    names: named('command-(?:a|r)'),
    examples: ['command-a-03-2025', 'cohere/command-r-plus-08-2024', 'command-a-reasoning-08-2025'],
    facts: said(COHERE, {
      reasoning: 'effort',
      efforts: ['none', 'high'],
      reasoning_off: 'effort_none',
      choices: false,
      logit_bias: 'refused',
      logprobs: 'refused',
      parallel_tool_calls: false,
    }),
    on: {
      'bedrock-converse': said(BEDROCK, {
        reasoning: 'none',
        image_types: [],
        format: 'none',
        forced_call: 'refused',
        extra_fields: 'cohere',
        top_k: 'taken',
      }),
    },
  },
  {
    family: 'palmyra',
    maker: 'Writer',
    names: named('palmyra'),
    examples: ['us.writer.palmyra-x5-v1:0', 'writer.palmyra-x4-v1:0'],
    facts: said(BEDROCK, { image_types: [] }),
    on: {
      'bedrock-converse': said({ from: 'langchain-ai/langchain-aws#466', at: '2025-05' }, { streamed_tools: false }),
    },
  },
  {
    family: 'sonar',
    maker: 'Perplexity',
    names: named('sonar'),
    examples: ['sonar-pro', 'perplexity/sonar-reasoning-pro'],
    facts: said(SONAR, { most_tools: 0 }),
  },
]
