import { named } from '../names.ts'
import { type FamilyRow, said, type SourcedFacts } from '../row.ts'

const API = { from: 'mistralai/mistral-common, request validators', at: '2026-07' }
const BEDROCK = { from: 'Amazon Bedrock User Guide, supported models and model features', at: '2026-11' }
const LIMITS = { from: 'anomalyco/models.dev, providers/mistral', at: '2026-07' }

const MISTRAL: SourcedFacts = {
  ...said(API, { call_ids: 'nine', prefill: 'prefix' }),
  ...said({ from: 'BerriAI/litellm#30835', at: '2026-06' }, { past_reasoning: 'refused' }),
  ...said(
    { from: 'OpenHands/OpenHands-CLI#83', at: '2025-11' },
    {
      user: false,
      seed: 'refused',
      top_k: 'refused',
      logit_bias: 'refused',
      logprobs: 'refused',
    },
  ),
  ...said({ from: 'mnfst/modelparams.dev', at: '2026-08' }, { temperature_most: 1.5 }),
}

/** Mistral's large models: a call of any tool may be required, tools are not streamed. */
const ON_CONVERSE: FamilyRow['on'] = {
  'bedrock-converse': {
    ...said(BEDROCK, { streamed_tools: false, extra_fields: 'mistral', top_k: 'taken' }),
  },
}

/** Mistral's models. */
export const MISTRAL_ROWS: readonly FamilyRow[] = [
  {
    family: 'magistral',
    maker: 'Mistral',
    names: named('magistral'),
    examples: ['magistral-medium-latest', 'mistralai/magistral-small-2509'],
    facts: {
      ...MISTRAL,
      ...said(API, { reasoning: 'effort', efforts: [], reasoning_off: 'never', reasons_unasked: true }),
    },
  },
  {
    family: 'mistral-small-4, mistral-medium-3.5',
    maker: 'Mistral',
    names: named('mistral-(?:small-(?:4|26\\d\\d|latest)|medium-(?:3[.-]5|26\\d\\d))'),
    examples: ['mistral-small-2603', 'mistral-medium-3.5', 'mistralai/mistral-medium-2604'],
    facts: {
      ...MISTRAL,
      ...said(LIMITS, { reasoning: 'effort', efforts: ['none', 'high'], reasoning_off: 'effort_none' }),
    },
  },
  {
    family: 'mistral-7b, mixtral-8x7b',
    maker: 'Mistral',
    names: named('mistral-7b|mixtral-8x7b'),
    examples: ['mistral-7b-instruct-v0.3', 'mistral.mixtral-8x7b-instruct-v0:1'],
    facts: { ...MISTRAL, ...said(LIMITS, { reasoning: 'none', image_types: [] }) },
    on: {
      'bedrock-converse': said(BEDROCK, {
        system_role: 'user',
        most_tools: 0,
        format: 'none',
        extra_fields: 'mistral',
        top_k: 'taken',
      }),
    },
  },
  {
    family: 'text models of Mistral',
    maker: 'Mistral',
    names: named('codestral|devstral|open-mistral|open-mixtral|mixtral|mistral-(?:nemo|7b|8x)|ministral'),
    examples: ['codestral-2508', 'mistralai/devstral-small-2507', 'open-mistral-nemo'],
    facts: { ...MISTRAL, ...said(LIMITS, { reasoning: 'none', image_types: [] }) },
  },
  {
    family: 'mistral, pixtral',
    maker: 'Mistral',
    names: named('mistral-|pixtral'),
    examples: ['mistral-large-2512', 'mistralai/mistral-medium-3.1', 'pixtral-large-latest'],
    facts: { ...MISTRAL, ...said(API, { reasoning: 'none' }) },
    on: ON_CONVERSE,
  },
]
