import { named } from '../names.ts'
import { type FamilyRow, said, type SourcedFacts } from '../row.ts'

const API = { from: 'https://docs.z.ai/api-reference/llm/chat-completion', at: '2026-08' }
const TEMPERATURE = { from: 'theopenco/llmgateway#3268', at: '2026-07' }
const LIMITS = { from: 'anomalyco/models.dev, providers/zai', at: '2026-07' }

const GLM: SourcedFacts = {
  ...said(TEMPERATURE, { temperature_most: 1 }),
  ...said(API, {
    reasoning: 'effort',
    efforts: [],
    reasoning_off: 'thinking_disabled',
    reasons_unasked: true,
    forced_call: 'refused',
    stops: 1,
    format: 'json',
    penalties: 'refused',
    strict_tools: false,
  }),
  ...said(LIMITS, { most_output: 131_072, image_types: [] }),
}

/** Zhipu's models. */
export const ZHIPU_ROWS: readonly FamilyRow[] = [
  {
    family: 'glm with pictures',
    maker: 'Zhipu',
    names: named('glm-[\\d.]+v'),
    examples: ['glm-4.6v', 'z-ai/glm-4.5v'],
    facts: { ...GLM, ...said(API, { image_types: ['image/png', 'image/jpeg'] }) },
  },
  {
    family: 'glm-5.3',
    maker: 'Zhipu',
    names: named('glm-(?:5\\.[3-9]|[6-9])'),
    examples: ['glm-5.3', 'z-ai/glm-5.3'],
    facts: { ...GLM, ...said(API, { efforts: ['low', 'high', 'max'], reasoning_off: 'never' }) },
  },
  {
    family: 'glm-5.2',
    maker: 'Zhipu',
    names: named('glm-5\\.2'),
    examples: ['glm-5.2'],
    facts: {
      ...GLM,
      ...said(
        { from: 'mnfst/modelparams.dev', at: '2026-08' },
        {
          efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
        },
      ),
    },
  },
  {
    family: 'glm-4, glm-5',
    maker: 'Zhipu',
    names: named('glm-'),
    examples: ['glm-4.6', 'z-ai/glm-5', 'zai-org/glm-4.5-air'],
    facts: GLM,
  },
]
