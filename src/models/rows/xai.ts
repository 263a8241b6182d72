import { named } from '../names.ts'
import { type FamilyRow, said, type SourcedFacts } from '../row.ts'

const API = { from: 'https://docs.x.ai/docs/guides/reasoning', at: '2026-08' }
const SDK = { from: 'vercel/ai, packages/xai', at: '2026-08' }
const NO_EFFORT = { from: 'BerriAI/litellm#16265', at: '2025-11' }

const GROK: SourcedFacts = {
  ...said(SDK, { logit_bias: 'refused', top_k: 'refused' }),
  ...said(API, { image_types: ['image/png', 'image/jpeg'] }),
}

/** Grok 4 and later, whether they reason or not. */
const FOURTH: SourcedFacts = {
  ...GROK,
  ...said({ from: 'open-webui/open-webui#21266', at: '2026-02' }, { penalties: 'refused' }),
  ...said(API, { stops: 0, reasons_unasked: true }),
}

/** xAI's models. */
export const XAI_ROWS: readonly FamilyRow[] = [
  {
    family: 'grok-3-mini',
    maker: 'xAI',
    names: named('grok-3-mini'),
    examples: ['grok-3-mini', 'x-ai/grok-3-mini-beta'],
    facts: {
      ...GROK,
      ...said(API, {
        reasoning: 'effort',
        efforts: ['low', 'high'],
        reasoning_off: 'never',
        reasons_unasked: true,
        penalties: 'refused',
        stops: 0,
        image_types: [],
      }),
    },
  },
  {
    family: 'grok-2, grok-3',
    maker: 'xAI',
    names: named('grok-(?:[23]|beta)'),
    examples: ['grok-3', 'x-ai/grok-2-1212'],
    facts: { ...GROK, ...said(API, { reasoning: 'none' }) },
  },
  {
    family: 'grok-4.3',
    maker: 'xAI',
    names: named('grok-4\\.3'),
    examples: ['grok-4.3', 'x-ai/grok-4.3'],
    facts: {
      ...FOURTH,
      ...said(API, {
        reasoning: 'effort',
        efforts: ['none', 'low', 'medium', 'high'],
        reasoning_off: 'effort_none',
      }),
    },
  },
  {
    family: 'grok-4.5 and later',
    maker: 'xAI',
    names: named('grok-(?:4\\.[4-9]|[5-9]|build-latest)'),
    examples: ['grok-4.5', 'x-ai/grok-4.6'],
    facts: {
      ...FOURTH,
      ...said(
        { from: 'pydantic/pydantic-ai, profiles/grok.py', at: '2026-08' },
        {
          reasoning: 'effort',
          efforts: ['low', 'medium', 'high'],
          reasoning_off: 'never',
        },
      ),
    },
  },
  {
    family: 'grok-4, grok-code-fast-1',
    maker: 'xAI',
    names: named('grok'),
    examples: ['grok-4-0709', 'grok-code-fast-1', 'x-ai/grok-4.1-fast'],
    facts: {
      ...FOURTH,
      ...said(NO_EFFORT, { reasoning: 'effort', efforts: [], reasoning_off: 'never' }),
    },
  },
]
