import { named } from '../names.ts'
import { type FactSource, type FamilyRow, said, type SourcedFacts } from '../row.ts'

const docs = (page: string, at: string): FactSource => ({ from: `https://platform.claude.com/docs/en/${page}`, at })
const THINKING = docs('build-with-claude/extended-thinking', '2026-07')
const ADAPTIVE = docs('build-with-claude/adaptive-thinking', '2026-07')
const OUTPUTS = docs('build-with-claude/structured-outputs', '2026-08')
const API = { from: 'anthropics/anthropic-sdk-typescript, types of messages', at: '2026-08' }
const PREFILL = { from: 'sst/opencode#13768', at: '2026-02' }
const LIMITS = { from: 'anomalyco/models.dev, providers/anthropic', at: '2026-07' }

/** The schemas that Anthropic refuses in structured outputs and strict tools: with bounds, and with open objects. */
const CLOSED_SCHEMAS = {
  ...said(OUTPUTS, { schema_bounds: false, open_objects: false }),
  ...said({ from: 'elizaOS/eliza#16499', at: '2026-07' }, { most_strict_tools: 20 }),
}

/** What every Claude takes or refuses. */
const CLAUDE: SourcedFacts = {
  ...said(API, {
    temperature_most: 1,
    blank_stops: false,
    service_tier: true,
    image_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
    tool_schema: ['no_tuples', 'no_top_level_choice'],
  }),
}

/** Claude 3 and 3.5: they do not think, nor write by a schema. */
const THIRD: SourcedFacts = {
  ...CLAUDE,
  ...said(THINKING, { reasoning: 'none' }),
  ...said(OUTPUTS, { format: 'none', strict_tools: false }),
}

/** Claude 3.7 to 4.5: so many tokens of thinking. */
const BUDGET: SourcedFacts = said(THINKING, {
  reasoning: 'budget',
  budget_least: 1_024,
  reasoning_off: 'omit',
  reasons_unasked: false,
  forced_call: 'not_while_reasoning',
  hidden_reasoning: true,
  temperature: 'not_while_reasoning',
  top_k: 'not_while_reasoning',
  top_p_least_while_reasoning: 0.95,
})
/** `disabled` is a word that they know; to leave the field out is the same. */
const BUDGET_OFF: SourcedFacts = { ...BUDGET, ...said(THINKING, { reasoning_off: 'thinking_disabled' }) }

const ONE_OF_TWO = said(docs('about-claude/models/migration-guide', '2026-07'), { temperature_with_top_p: false })

const WITH_EFFORT: SourcedFacts = {
  ...BUDGET_OFF,
  ...said(ADAPTIVE, { reasoning: 'adaptive', efforts: ['low', 'medium', 'high', 'max'] }),
}

/** Claude 4.7 and later: the model decides, every effort is a word, and no sampling is taken. */
const NO_SAMPLING = said(docs('about-claude/models/migration-guide', '2026-07'), {
  temperature: 'refused',
  top_p: 'refused',
  top_k: 'refused',
})
const SEVENTH: SourcedFacts = {
  ...WITH_EFFORT,
  ...said(ADAPTIVE, { efforts: ['low', 'medium', 'high', 'xhigh', 'max'], reasoning_off: 'omit' }),
}
const FIFTH: SourcedFacts = {
  ...SEVENTH,
  ...said(docs('models/sonnet-5/migration-guide', '2026-09'), {
    reasons_unasked: true,
    reasoning_off: 'thinking_disabled',
  }),
}
const ALWAYS: SourcedFacts = {
  ...FIFTH,
  ...said(docs('models/opus-5-5/migration-guide', '2026-09'), { reasoning_off: 'never', forced_call: 'refused' }),
}

const NO_PREFILL = said(PREFILL, { prefill: 'refused' })
const output = (tokens: number): SourcedFacts => said(LIMITS, { most_output: tokens })

/** Names with the version behind the family (`claude-opus-4-5-20251101`) or before it (`anthropic/claude-4.5-opus`). */
function claude(families: string, version: string): RegExp {
  return named(`claude-(?:(?:${families})-${version}|${version}-(?:${families}))(?![\\d.])`)
}

/** A version without a second number: what stands behind it is a date. */
const PLAIN = (major: string): string => `${major}(?![-.]\\d{1,2}(?!\\d))`
const ANY = 'opus|sonnet|haiku'

const CONVERSE = {
  from: 'Amazon Bedrock API reference, ToolChoice, ToolResultBlock and CachePointBlock',
  at: '2026-11',
}

/** What Bedrock's Converse takes of a Claude, beside what its maker takes. */
const ON_CONVERSE: SourcedFacts = said(CONVERSE, {
  extra_fields: 'anthropic',
  cache_points: 'taken',
  media_in_results: true,
  top_k: 'taken',
  service_tier: false,
})
/** Claude 3.5 and before have no prompt cache there (pensarai/apex#943). */
const UNCACHED_ON_CONVERSE: SourcedFacts = {
  ...ON_CONVERSE,
  ...said({ from: 'pensarai/apex#943', at: '2026-08' }, { cache_points: 'none' }),
}

/** What is otherwise on Anthropic's own wire, and on Converse, which hands it on. */
const asked = (facts: SourcedFacts, converse = ON_CONVERSE): Pick<FamilyRow, 'on'> => ({
  on: { 'anthropic-messages': facts, 'bedrock-converse': { ...converse, ...facts } },
})

/** Anthropic's models. A Claude of no known version is taken for one of the newest. */
export const ANTHROPIC_ROWS: readonly FamilyRow[] = [
  {
    family: 'claude-2 and before',
    maker: 'Anthropic',
    names: named('claude-(?:instant|v?[12](?:$|[^\\d]))'),
    examples: ['claude-2.1', 'claude-instant-1.2', 'anthropic.claude-v2'],
    facts: { ...THIRD, ...said(LIMITS, { most_tools: 0, image_types: [], most_output: 4_096 }) },
  },
  {
    family: 'claude-3.7',
    maker: 'Anthropic',
    names: claude(ANY, '3[-.]7'),
    examples: ['claude-3-7-sonnet-latest', 'anthropic/claude-3.7-sonnet'],
    facts: { ...CLAUDE, ...said(OUTPUTS, { format: 'none', strict_tools: false }), ...output(64_000) },
    ...asked(BUDGET_OFF),
  },
  {
    family: 'claude-3.5',
    maker: 'Anthropic',
    names: claude(ANY, '3[-.]5'),
    examples: ['claude-3-5-sonnet-20241022', 'us.anthropic.claude-3-5-haiku-20241022-v1:0'],
    facts: { ...THIRD, ...output(8_192) },
    ...asked(said(THINKING, { reasoning_off: 'omit' }), UNCACHED_ON_CONVERSE),
  },
  {
    family: 'claude-3',
    maker: 'Anthropic',
    names: claude(ANY, PLAIN('3')),
    examples: ['claude-3-haiku-20240307', 'claude-3-opus@20240229'],
    facts: { ...THIRD, ...output(4_096) },
    ...asked(said(THINKING, { reasoning_off: 'omit' }), UNCACHED_ON_CONVERSE),
  },
  {
    family: 'claude-4',
    maker: 'Anthropic',
    names: claude(ANY, PLAIN('4')),
    examples: ['claude-sonnet-4-20250514', 'claude-opus-4@20250514', 'anthropic/claude-4-sonnet'],
    facts: { ...CLAUDE, ...said(OUTPUTS, { format: 'none', strict_tools: false }), ...output(32_000) },
    ...asked(BUDGET_OFF),
  },
  {
    family: 'claude-4.1',
    maker: 'Anthropic',
    names: claude(ANY, '4[-.]1'),
    examples: ['claude-opus-4-1-20250805'],
    facts: { ...CLAUDE, ...CLOSED_SCHEMAS, ...ONE_OF_TWO, ...output(32_000) },
    ...asked(BUDGET_OFF),
  },
  {
    family: 'claude-4.5',
    maker: 'Anthropic',
    names: claude(ANY, '4[-.]5'),
    examples: ['claude-sonnet-4-5-20250929', 'claude-haiku-4-5@20251001', 'anthropic/claude-opus-4.5'],
    facts: { ...CLAUDE, ...CLOSED_SCHEMAS, ...ONE_OF_TWO, ...output(64_000) },
    ...asked(BUDGET_OFF),
  },
  {
    family: 'claude-4.6',
    maker: 'Anthropic',
    names: claude(ANY, '4[-.]6'),
    examples: ['claude-opus-4-6', 'anthropic.claude-sonnet-4-6-v1:0'],
    facts: { ...CLAUDE, ...CLOSED_SCHEMAS, ...ONE_OF_TWO, ...NO_PREFILL, ...output(128_000) },
    ...asked(WITH_EFFORT),
  },
  {
    family: 'claude-4.7, claude-4.8',
    maker: 'Anthropic',
    names: claude(ANY, '4[-.][789]'),
    examples: ['claude-opus-4-7', 'anthropic/claude-4.8-opus'],
    facts: { ...CLAUDE, ...CLOSED_SCHEMAS, ...NO_PREFILL, ...output(128_000), ...NO_SAMPLING },
    ...asked({ ...SEVENTH, ...NO_SAMPLING }),
  },
  {
    family: 'claude-mythos-preview',
    maker: 'Anthropic',
    names: named('claude-mythos(?!-\\d)'),
    examples: ['claude-mythos-preview'],
    facts: { ...CLAUDE, ...CLOSED_SCHEMAS, ...NO_PREFILL, ...output(128_000), ...NO_SAMPLING },
    ...asked({ ...ALWAYS, ...NO_SAMPLING, ...said(ADAPTIVE, { efforts: ['low', 'medium', 'high', 'max'] }) }),
  },
  {
    family: 'claude-fable, claude-mythos',
    maker: 'Anthropic',
    names: named('claude-(?:[\\d.-]+-)?(?:fable|mythos)'),
    examples: ['claude-fable-5', 'anthropic/claude-mythos-5.1'],
    facts: { ...CLAUDE, ...CLOSED_SCHEMAS, ...NO_PREFILL, ...output(128_000), ...NO_SAMPLING },
    ...asked({ ...ALWAYS, ...NO_SAMPLING }),
  },
  {
    family: 'claude-opus-5.5',
    maker: 'Anthropic',
    names: claude('opus', '(?:5[-.][5-9]|[6-9]|\\d\\d)'),
    examples: ['claude-opus-5-5', 'anthropic/claude-opus-5.5'],
    facts: { ...CLAUDE, ...CLOSED_SCHEMAS, ...NO_PREFILL, ...output(128_000), ...NO_SAMPLING },
    ...asked({ ...ALWAYS, ...NO_SAMPLING }),
  },
  {
    family: 'claude-sonnet-5.5',
    maker: 'Anthropic',
    names: claude('sonnet', '(?:5[-.][5-9]|[6-9]|\\d\\d)'),
    examples: ['claude-sonnet-5-5', 'us.anthropic.claude-sonnet-5-5-v1:0'],
    facts: { ...CLAUDE, ...CLOSED_SCHEMAS, ...NO_PREFILL, ...output(128_000), ...NO_SAMPLING },
    ...asked({
      ...ALWAYS,
      ...NO_SAMPLING,
      ...said(docs('models/sonnet-5-5/migration-guide', '2026-09'), { reasoning_off: 'between_tools' }),
    }),
  },
  {
    family: 'claude-5 and others',
    maker: 'Anthropic',
    names: named('claude'),
    examples: ['claude-sonnet-5', 'claude-opus-5', 'claude-haiku-5-5'],
    facts: { ...CLAUDE, ...CLOSED_SCHEMAS, ...NO_PREFILL, ...output(128_000), ...NO_SAMPLING },
    ...asked({ ...FIFTH, ...NO_SAMPLING }),
  },
]
