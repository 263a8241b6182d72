import type { SharedTexts } from '../dictionaries/shared-en.ts'
import { formatMultiplier } from '../format/money.ts'
import { nameOf } from '../format/name-of.ts'
import { UNLIMITED } from '../format/unlimited.ts'
import type { FieldWords, ValueFormat } from './difference-rows.ts'
import type { PageTexts } from '../dictionaries/page-texts.ts'

export function groupWords(texts: Pick<PageTexts, 'groups' | 'accounts'>): FieldWords {
  const { form: t } = texts.groups
  return {
    fields: {
      name: t.name,
      multiplier: t.multiplier,
      models: t.models,
      enabled: t.enabled,
      open: t.open,
      open_to_roles: t.roles,
      devices: {
        quota: t.deviceQuota,
        max_quota: t.deviceMaxQuota,
        quota_reset: t.deviceReset,
        max_days: t.deviceDays,
      },
      claude_settings: t.claude,
    },
    textOf: (name, value) => {
      if (name === 'multiplier') return formatMultiplier(String(value))
      if (name === 'models' && value === '*') return t.everyModel
      if (name === 'open') return value === true ? t.openAll : t.openSubscribers
      return name === 'open_to_roles' ? nameOf(String(value), texts.accounts.roles) : null
    },
  }
}

export function modelWords(
  texts: {
    readonly prices: PageTexts['prices']
    readonly models: PageTexts['models']
    readonly settings: PageTexts['modelSettings']
    readonly takes: PageTexts['modelFacts']
    readonly shared: SharedTexts
  },
  format: ValueFormat,
): FieldWords {
  const { models: m, settings: s, takes, shared } = texts
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = takes.words
  const { editor, planning, states, targets } = texts.prices
  const price = {
    ...m.kinds,
    tiers: editor.parts.tiers,
    service_tiers: editor.parts.services,
    inference_geo: editor.parts.places,
    per_call: editor.parts.calls,
  }
  return {
    fields: {
      price,
      context_tokens: s.context_tokens,
      max_output_tokens: s.max_output_tokens,
      kind: s.kind,
      recommended: states.recommended,
      price_locked: states.locked,
      hedge_after_ms: s.hedge_after_ms,
      first_event_timeout_ms: s.first_event_timeout_ms,
      idle_timeout_ms: s.idle_timeout_ms,
      timeout_ms: s.timeout_ms,
      rules: takes.facts,
      targets: targets.title,
      scheduled: {
        effective_at: planning.at,
        price: editor.title,
        context_tokens: planning.context,
        max_output_tokens: planning.output,
      },
    },
    parts: { ...takes.facts, ...price, ...m.calls, ...targetParts(texts.prices) },
    empty: {
      price: states.no_price,
      kind: s.workedOut,
      recommended: shared.no,
      price_locked: shared.no,
    },
    textOf: (name, value) => {
      if (Object.hasOwn(takes.facts, name))
        return value === UNLIMITED ? takes.noLimit : (words[name]?.[String(value)] ?? null)
      if (name === 'kind') return nameOf(String(value), m.modelKinds)
      if (name === 'factor') return formatMultiplier(String(value))
      if (name.endsWith('_ms') && typeof value === 'number') return format.duration(value)
      return name in m.kinds || name in m.calls || name === 'spend_per_day' ? format.exactMoney(String(value)) : null
    },
    phraseOf: (value, name) =>
      name === 'cost' && 'factor' in value && typeof value.factor === 'string' ? formatMultiplier(value.factor) : null,
  }
}

/** The fields of a target, and of what changes a price. */
function targetParts({ editor, targets: { fields } }: PageTexts['prices']): Readonly<Record<string, string>> {
  return {
    above_input_tokens: editor.above,
    upstream: fields.upstream,
    model: fields.model,
    priority: fields.priority,
    weight: fields.weight,
    groups: fields.groups,
    cost: fields.factor,
    factor: editor.factor,
    min_margin: fields.min_margin,
    spend_per_day: fields.spend_per_day,
    fields_like: fields.fields_like,
    rules: fields.rules,
  }
}

export function upstreamWords({ upstreams: t }: Pick<PageTexts, 'upstreams'>, format: ValueFormat): FieldWords {
  const { credential: _, ...fields } = t.editing.fields
  return {
    // That there are credentials is said by which there are.
    fields: { ...fields, protocol: t.columns.protocol, credentials: t.credentials, has_credential: null },
    parts: {
      ...t.shadow.rules,
      name: '',
      kind: t.credentialKind,
      settings: t.credentialSettings,
      weight: t.columns.weight,
      models: t.columns.models,
      shadow: t.shadow.title,
    },
    textOf: (name, value) => {
      if (name === 'spend_per_day') return format.exactMoney(String(value))
      if (name === 'dialect') return nameOf(String(value), t.dialects)
      // A mark of a credential, which only some have.
      if (value === false) return ''
      return name === 'shadow' ? nameOf(String(value), t.shadow.rules) : null
    },
  }
}

/** The words for the state of one credential of an upstream. */
export function credentialWords({ upstreams: { states } }: Pick<PageTexts, 'upstreams'>): FieldWords {
  return { fields: { disabled: states.disabled, held: states.held } }
}
