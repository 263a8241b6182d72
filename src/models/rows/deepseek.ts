import { named } from '../names.ts'
import { type FamilyRow, said, type SourcedFacts } from '../row.ts'

const API = { from: 'https://api-docs.deepseek.com/guides/thinking_mode', at: '2026-09' }
const SDK = { from: 'vercel/ai, packages/deepseek', at: '2026-08' }
const BEDROCK = { from: 'Amazon Bedrock User Guide, supported models and model features', at: '2026-11' }
const LIMITS = { from: 'anomalyco/models.dev, providers/deepseek', at: '2026-07' }

const DEEPSEEK: SourcedFacts = {
  ...said(SDK, { top_k: 'refused', seed: 'refused', format: 'json', image_types: [] }),
  ...said(API, { most_tools: 128 }),
}

/** Reasoning comes by itself on Converse, and nothing is said of it. */
const R1_ON_CONVERSE = said(BEDROCK, { reasoning: 'none', most_tools: 0, format: 'none' })
/** Tools are not streamed. */
const V3_ON_CONVERSE = said(BEDROCK, { streamed_tools: false, format: 'schema' })

/** DeepSeek's models. */
export const DEEPSEEK_ROWS: readonly FamilyRow[] = [
  {
    family: 'deepseek-r1, deepseek-reasoner',
    maker: 'DeepSeek',
    names: named('deepseek-(?:r1|reasoner)'),
    examples: ['deepseek-reasoner', 'deepseek-ai/deepseek-r1-0528'],
    facts: {
      ...DEEPSEEK,
      ...said(API, {
        reasoning: 'effort',
        efforts: [],
        reasoning_off: 'never',
        reasons_unasked: true,
        logprobs: 'refused',
        forced_call: 'refused',
      }),
      ...said(SDK, { past_reasoning: 'refused' }),
    },
    on: { 'bedrock-converse': R1_ON_CONVERSE },
  },
  {
    family: 'deepseek-v4',
    maker: 'DeepSeek',
    names: named('deepseek-(?:v[4-9]|flash|pro)'),
    examples: ['deepseek-v4-pro', 'deepseek/deepseek-v4-flash'],
    facts: {
      ...DEEPSEEK,
      ...said(API, {
        reasoning: 'effort',
        efforts: ['low', 'medium', 'high', 'max'],
        reasoning_off: 'thinking_disabled',
        reasons_unasked: true,
        past_reasoning: 'with_tools',
        logprobs: 'not_while_reasoning',
      }),
      ...said({ from: 'BerriAI/litellm#37470', at: '2026-08' }, { forced_call: 'not_while_reasoning' }),
      ...said(LIMITS, { most_output: 384_000 }),
    },
    on: {
      'openai-responses': said(API, {
        efforts: ['none', 'low', 'medium', 'high', 'max'],
        reasoning_off: 'effort_none',
      }),
    },
  },
  {
    family: 'deepseek-chat, deepseek-v3',
    maker: 'DeepSeek',
    names: named('deepseek'),
    examples: ['deepseek-chat', 'deepseek-ai/deepseek-v3.2', 'accounts/fireworks/models/deepseek-v3p1'],
    facts: {
      ...DEEPSEEK,
      ...said(API, {
        reasoning: 'effort',
        efforts: ['low', 'medium', 'high'],
        reasoning_off: 'thinking_disabled',
        forced_call: 'not_while_reasoning',
        past_reasoning: 'with_tools',
      }),
    },
    on: { 'bedrock-converse': V3_ON_CONVERSE },
  },
]
