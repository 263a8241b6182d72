import type { SharedTexts } from '../dictionaries/shared-en.ts'
import { formatMultiplier } from '../format/money.ts'
import { nameOf } from '../format/name-of.ts'
import type { FieldWords, ValueFormat } from './difference-rows.ts'
import type { PageTexts } from '../dictionaries/page-texts.ts'

/** `groupName`: of the group with an id. */
export function accountWords(
  texts: {
    readonly accounts: PageTexts['accounts']
    readonly one: PageTexts['oneAccount']
    readonly own: PageTexts['account']
    readonly shared: SharedTexts
  },
  format: ValueFormat,
  groupName: (id: string) => string,
): FieldWords {
  const { accounts: t, one, shared } = texts
  const { limits: own } = texts.own
  const limitNames = { ...own.counts, ...own.spend, max_keys: own.keys, max_key_validity_days: own.validity }
  return {
    fields: {
      role: t.columns.role,
      status: t.columns.status,
      limits: one.tabs.limits,
      raise: one.raise.title,
      open_groups: one.openGroups.title,
      multipliers: one.multipliers.title,
    },
    parts: { limits: '', ends_at: one.raise.endsAt },
    textOf: (name, value) => {
      if (name === 'role') return nameOf(String(value), t.roles)
      if (name === 'status') return nameOf(String(value), t.statuses)
      return name === 'open_groups' ? groupName(String(value)) : null
    },
    phraseOf: (value, name) => {
      if (name === 'limits') return limitsText(value, limitNames, { shared, format })
      const { group, multiplier } = { group: null, multiplier: null, ...value }
      if (name !== 'multipliers' || group === null || multiplier === null) return null
      return shared.labelled(groupName(group), formatMultiplier(multiplier))
    },
  }
}

/** Limits as their forms show them: what is not set is left out, and ∞ means none. */
export function limitsText(
  limits: object,
  names: Readonly<Record<string, string>>,
  { shared, format }: { readonly shared: SharedTexts; readonly format: ValueFormat },
): string {
  const parts = Object.entries(limits).flatMap(([field, limit]: [string, unknown]): [string, string][] => {
    if (field === 'spend') return spendParts(limit, format)
    return [[field, typeof limit === 'number' ? format.number(limit) : NO_LIMIT]]
  })
  return format.list(parts.map(([field, text]) => shared.labelled(names[field] ?? field, text)))
}

const NO_LIMIT = '∞'
const WINDOWS = ['5h', '1d', '7d']

/** One window that is set takes the place of all windows of other sources. */
function spendParts(spend: unknown, format: ValueFormat): [string, string][] {
  const set = new Map(Array.isArray(spend) ? spend.filter(isWindow).map(({ window, usd }) => [window, usd]) : [])
  return WINDOWS.map((window) => {
    const usd = set.get(window)
    return [window, usd === undefined ? NO_LIMIT : format.exactMoney(usd)]
  })
}

function isWindow(value: unknown): value is { readonly window: string; readonly usd: string } {
  if (typeof value !== 'object' || value === null || !('window' in value) || !('usd' in value)) return false
  return typeof value.window === 'string' && typeof value.usd === 'string'
}

export function planWords(t: PageTexts['plans'], format: ValueFormat): FieldWords {
  const { form } = t
  return {
    fields: {
      name: form.name,
      groups: form.groups,
      opens_groups: form.opensGroups,
      days: form.days,
      price: form.price,
      quotas: form.windows,
    },
    empty: { quotas: t.unlimited },
    textOf: (name, value) => (name === 'price' ? format.exactMoney(String(value)) : null),
    phraseOf: (value, name) =>
      name === 'quotas' && isWindow(value)
        ? t.quota(format.exactMoney(value.usd), nameOf(value.window, t.windows))
        : null,
  }
}

export function keyWords({ key, keys }: Pick<PageTexts, 'key' | 'keys'>, format: ValueFormat): FieldWords {
  const { fields, spending } = key.detail
  return {
    fields,
    parts: { ...fields, spend: '' },
    empty: { expires_at: keys.permanent, allowed_models: keys.allModels, allowed_ips: key.detail.allAddresses },
    textOf: (name, value) => {
      if (name === 'quota_limit' || name === 'limit') return format.exactMoney(String(value))
      if (name === 'because') return nameOf(String(value), key.detail.captureEnds)
      if (name === 'quota_reset') return nameOf(String(value), keys.form.resets)
      if (name === 'response_cache') return nameOf(String(value), keys.form.responseCaches)
      return name === 'status' ? nameOf(String(value), keys.statuses) : null
    },
    phraseOf: (value) => (isWindow(value) ? spending(format.exactMoney(value.usd), value.window) : null),
  }
}
