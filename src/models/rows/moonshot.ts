import { named } from '../names.ts'
import { type FamilyRow, said, type SourcedFacts } from '../row.ts'

const API = { from: 'Kimi API docs, migrating from OpenAI', at: '2026-07' }
const SCHEMAS = { from: 'MoonshotAI/walle', at: '2026-06' }
const LIMITS = { from: 'anomalyco/models.dev, providers/moonshotai', at: '2026-07' }

const KIMI: SourcedFacts = {
  ...said(API, { temperature_most: 1, top_k: 'refused', seed: 'refused', prefill: 'partial', forced_call: 'refused' }),
  ...said(SCHEMAS, { tool_schema: ['no_ref_siblings', 'no_type_beside_any_of', 'no_tuples', 'no_top_level_choice'] }),
}

const THINKS: SourcedFacts = {
  ...KIMI,
  ...said(API, {
    reasoning: 'effort',
    efforts: [],
    reasoning_off: 'never',
    reasons_unasked: true,
    temperature: 'refused',
    top_p: 'refused',
    penalties: 'refused',
    choices: false,
  }),
  ...said({ from: 'QuantumNous/new-api#3121', at: '2026-03' }, { past_reasoning: 'with_tools' }),
  ...said(LIMITS, { most_output: 262_144 }),
}

/** Moonshot's models. */
export const MOONSHOT_ROWS: readonly FamilyRow[] = [
  {
    family: 'kimi-k3',
    maker: 'Moonshot',
    names: named('kimi-k[3-9]'),
    examples: ['kimi-k3', 'moonshotai/kimi-k3'],
    facts: {
      ...THINKS,
      ...said({ from: 'UKGovernmentBEIS/inspect_ai#5152', at: '2026-08' }, { efforts: ['low', 'high', 'max'] }),
    },
  },
  {
    family: 'kimi-k2-thinking, kimi-k2.7',
    maker: 'Moonshot',
    names: named('kimi-k2(?:[\\w-]*-thinking|-thinking|[.p][7-9])'),
    examples: ['kimi-k2-thinking', 'kimi-k2.7-code', 'accounts/fireworks/models/kimi-k2-thinking'],
    facts: { ...THINKS, ...said(LIMITS, { image_types: [] }) },
  },
  {
    family: 'kimi-k2.5, kimi-k2.6',
    maker: 'Moonshot',
    names: named('kimi-(?:k2[.p][56]|for-coding)'),
    examples: ['kimi-k2.5', 'moonshotai/kimi-k2.6', 'kimi-for-coding'],
    facts: {
      ...THINKS,
      ...said(
        { from: 'can1357/oh-my-pi#1077', at: '2026-05' },
        {
          reasoning_off: 'thinking_disabled',
          forced_call: 'not_while_reasoning',
        },
      ),
    },
  },
  {
    family: 'kimi-k2 and before',
    maker: 'Moonshot',
    names: named('kimi|moonshot-v1'),
    examples: ['kimi-k2-0905-preview', 'moonshotai/kimi-k2-instruct', 'moonshot-v1-32k'],
    facts: { ...KIMI, ...said(LIMITS, { reasoning: 'none', image_types: [], most_output: 16_384 }) },
  },
]
