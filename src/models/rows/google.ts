import { named } from '../names.ts'
import { type FactSource, type FamilyRow, said, type SourcedFacts } from '../row.ts'

const docs = (page: string): FactSource => ({ from: `https://ai.google.dev/gemini-api/docs/${page}`, at: '2026-09' })
const THINKING = docs('thinking')
const COMPATIBLE = docs('openai')
const PENALTIES = { from: 'vercel/ai#8943', at: '2025-09' }
const TOOLS_AND_JSON = { from: 'googleapis/python-genai#867', at: '2025-05' }
const LIMITS = { from: 'anomalyco/models.dev, providers/google', at: '2026-07' }

const GOOGLE: SourcedFacts = {
  ...said(docs('image-understanding'), {
    image_types: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'],
  }),
  ...said(docs('text-generation'), { stops: 5, service_tier: true, temperature_most: 2 }),
}

const NO_PENALTIES = said(PENALTIES, { penalties: 'refused' })
const APART = said(TOOLS_AND_JSON, { tools_with_format: false })

/** Models that do not think. */
const EARLIER: SourcedFacts = {
  ...GOOGLE,
  ...APART,
  ...said(THINKING, { reasoning: 'none' }),
  ...said(docs('thought-signatures'), { signed_calls: 'no', media_in_results: false }),
}

/** 2.5: tokens of thought. */
const SECOND: SourcedFacts = { ...GOOGLE, ...APART, ...NO_PENALTIES, ...said(LIMITS, { most_output: 65_536 }) }
const THIRD: SourcedFacts = { ...GOOGLE, ...NO_PENALTIES, ...said(LIMITS, { most_output: 65_536 }) }

/** Gemini 3.6 and later: an answer is not begun for them, and they give one alone. */
const SIXTH: SourcedFacts = {
  ...THIRD,
  ...said(
    { from: 'https://ai.google.dev/gemini-api/docs/latest-model', at: '2026-09' },
    {
      prefill: 'refused',
      choices: false,
    },
  ),
}

interface GeminiForms {
  readonly own: SourcedFacts
  readonly compatible: SourcedFacts
}

const on = ({ own, compatible }: GeminiForms): Pick<FamilyRow, 'on'> => ({
  on: { gemini: own, 'openai-chat': compatible },
})

function budget(least: number, most: number, canBeOff: boolean): GeminiForms {
  return {
    own: {
      ...said(THINKING, {
        reasoning: 'budget',
        budget_least: least,
        budget_most: most,
        reasoning_off: canBeOff ? 'budget_zero' : 'never',
      }),
      ...said(docs('thought-signatures'), { signed_calls: 'carried', media_in_results: false }),
    },
    compatible: {
      ...said(COMPATIBLE, {
        reasoning: 'effort',
        efforts: canBeOff ? ['none', 'low', 'medium', 'high'] : ['low', 'medium', 'high'],
        reasoning_off: canBeOff ? 'effort_none' : 'never',
      }),
      ...said(docs('thought-signatures'), { signed_calls: 'carried' }),
    },
  }
}

function levels(...efforts: readonly ('minimal' | 'low' | 'medium' | 'high')[]): GeminiForms {
  const facts: SourcedFacts = {
    ...said(THINKING, { reasoning: 'effort', efforts, reasoning_off: 'never', reasons_unasked: true }),
    ...said(docs('thought-signatures'), { signed_calls: 'required' }),
  }
  return {
    own: { ...facts, ...said(docs('function-calling'), { media_in_results: true }) },
    compatible: facts,
  }
}

/** Google's models. A Gemini of no known version is taken for one of the newest. */
export const GOOGLE_ROWS: readonly FamilyRow[] = [
  {
    family: 'gemma',
    maker: 'Google',
    names: named('gemma|learnlm'),
    examples: ['gemma-3-27b-it', 'google/gemma-4-31b'],
    facts: EARLIER,
  },
  {
    family: 'gemini-2.0 and before',
    maker: 'Google',
    names: named('gemini-(?:1\\.\\d|2\\.[0-4]|1|2)(?![\\d.])'),
    examples: ['gemini-2.0-flash-001', 'models/gemini-1.5-pro'],
    facts: { ...EARLIER, ...said(LIMITS, { most_output: 8_192 }) },
  },
  {
    family: 'gemini-2.5-flash-lite',
    maker: 'Google',
    names: named('gemini-2\\.5-flash-lite'),
    examples: ['gemini-2.5-flash-lite', 'models/gemini-2.5-flash-lite-preview-06-17'],
    facts: SECOND,
    ...on(budget(512, 24_576, true)),
  },
  {
    family: 'gemini-2.5-flash',
    maker: 'Google',
    names: named('gemini-2\\.5-flash'),
    examples: ['gemini-2.5-flash', 'google/gemini-2.5-flash-preview-09-2025'],
    facts: { ...SECOND, ...said(THINKING, { reasons_unasked: true }) },
    ...on(budget(1, 24_576, true)),
  },
  {
    family: 'gemini-2.5-pro',
    maker: 'Google',
    names: named('gemini-2\\.[5-9]'),
    examples: ['gemini-2.5-pro', 'publishers/google/models/gemini-2.5-pro'],
    facts: { ...SECOND, ...said(THINKING, { reasons_unasked: true }) },
    ...on(budget(128, 32_768, false)),
  },
  {
    family: 'gemini-3-pro',
    maker: 'Google',
    names: named('gemini-3-pro'),
    examples: ['gemini-3-pro-preview'],
    facts: THIRD,
    ...on(levels('low', 'high')),
  },
  {
    family: 'gemini-3.7-flash',
    maker: 'Google',
    names: named('gemini-3\\.[7-9]-flash'),
    examples: ['gemini-3.7-flash'],
    facts: SIXTH,
    ...on(levels('low', 'medium', 'high')),
  },
  {
    family: 'gemini-3.6-flash',
    maker: 'Google',
    names: named('gemini-(?:3\\.6-flash|3\\.5-flash-lite)'),
    examples: ['gemini-3.6-flash', 'google/gemini-3.5-flash-lite'],
    facts: SIXTH,
    ...on(levels('minimal', 'low', 'medium', 'high')),
  },
  {
    family: 'gemini-3 flash models',
    maker: 'Google',
    names: named('gemini-[\\w.-]*flash'),
    examples: ['gemini-3-flash-preview', 'gemini-3.5-flash', 'google/gemini-3.1-flash-lite'],
    facts: THIRD,
    ...on(levels('minimal', 'low', 'medium', 'high')),
  },
  {
    family: 'gemini-3.1-pro and others',
    maker: 'Google',
    names: named('gemini'),
    examples: ['gemini-3.1-pro-preview', 'google/gemini-3.5-pro', 'gemini-pro-latest'],
    facts: THIRD,
    ...on(levels('low', 'medium', 'high')),
  },
]
