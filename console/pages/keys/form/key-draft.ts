import type { ApiKeyView, KeyCreate, KeyPatch, RateLimitView } from '../../../../src/contract/keys.ts'
import type { CountField, SpendWindow } from '../../../dictionaries/limit-fields.ts'
import { amountOrNone, countOf } from '../../../forms/typed-numbers.ts'
import { expiryOf, type Validity } from './validity.ts'

export type QuotaReset = ApiKeyView['quota_reset']
export type ResponseCache = ApiKeyView['response_cache']

/** Every counted limit, with what its empty field shows. */
export const COUNT_EXAMPLES = {
  concurrency: '5',
  requests_per_minute: '60',
  tokens_per_minute: '200000',
} as const satisfies Record<CountField, string>

export const COUNT_FIELDS = Object.keys(COUNT_EXAMPLES) as readonly CountField[]

/** Something for every counted limit. */
function everyCount<T>(make: (field: CountField) => T): Record<CountField, T> {
  return Object.fromEntries(COUNT_FIELDS.map((field) => [field, make(field)])) as Record<CountField, T>
}

/** A counted limit of a key, as the API takes it. */
export const KEY_COUNT = { least: 1, most: 1_000_000_000 } as const

export const SPEND_WINDOWS: readonly SpendWindow[] = ['5h', '1d', '7d']
export const QUOTA_RESETS: readonly QuotaReset[] = ['never', 'daily', 'weekly', 'monthly']

export const RESPONSE_CACHES: readonly ResponseCache[] = ['group', 'key', 'off']

/** The field of the form for a counted limit. */
export function rateLimitField(field: CountField): `rate_limit.${CountField}` {
  return `rate_limit.${field}`
}

/** The fields of the form, as the API calls them. */
export const KEY_FIELDS = [
  'name',
  'group',
  'expires_at',
  'quota_limit',
  'quota_reset',
  ...COUNT_FIELDS.map(rateLimitField),
  'rate_limit.spend',
  'allowed_models',
  'allowed_ips',
  'fallback_groups',
  'tags',
  'response_cache',
  'custom_key',
] as const

export type KeyField = (typeof KEY_FIELDS)[number]

/** Fields below "more", which opens when something is wrong in it. */
export const FOLDED_FIELDS: readonly KeyField[] = KEY_FIELDS.slice(5)

/** A key as it is being written: amounts and counts are still text, and empty means none. */
export interface KeyDraft {
  readonly name: string
  readonly group: string
  readonly validity: Validity
  readonly quotaLimit: string
  readonly quotaReset: QuotaReset
  readonly counts: Readonly<Record<CountField, string>>
  readonly spend: Readonly<Record<SpendWindow, string>>
  readonly allowedModels: readonly string[]
  /** One address or range a line. */
  readonly allowedIps: string
  readonly fallbackGroups: readonly string[]
  /** Tags with commas between them. */
  readonly tags: string
  readonly responseCache: ResponseCache
  readonly isCustom: boolean
  readonly customKey: string
}

type Settings = Omit<Required<KeyCreate>, 'custom_key' | 'account_id' | 'playground'>

export function newDraft(name: string, group: string): KeyDraft {
  return {
    name,
    group,
    validity: { kind: 'permanent' },
    quotaLimit: '',
    // A limit that comes back each month is more than was typed: that is asked for, and never preset.
    quotaReset: 'never',
    counts: everyCount(() => ''),
    spend: { '5h': '', '1d': '', '7d': '' },
    allowedModels: [],
    allowedIps: '',
    fallbackGroups: [],
    tags: '',
    responseCache: 'group',
    isCustom: false,
    customKey: '',
  }
}

/** The draft of a key that is there. */
export function draftOf(key: ApiKeyView): KeyDraft {
  const limit = key.rate_limit
  const count = (value: number | null | undefined): string => (value == null ? '' : String(value))
  const amount = (window: SpendWindow): string => limit?.spend.find((each) => each.window === window)?.usd ?? ''
  return {
    ...newDraft(key.name, key.group),
    validity: key.expires_at === null ? { kind: 'permanent' } : { kind: 'unchanged', time: key.expires_at },
    quotaLimit: key.quota_limit ?? '',
    quotaReset: key.quota_reset,
    counts: everyCount((field) => count(limit?.[field])),
    spend: { '5h': amount('5h'), '1d': amount('1d'), '7d': amount('7d') },
    allowedModels: key.allowed_models,
    allowedIps: key.allowed_ips.join('\n'),
    fallbackGroups: key.fallback_groups,
    tags: key.tags.join(', '),
    responseCache: key.response_cache,
  }
}

/** What the API is sent for a new key. Call it for a draft that `validate` has nothing against. */
export function creationOf(draft: KeyDraft, nowMs: number): KeyCreate {
  const settings = settingsOf(draft, nowMs)
  return draft.isCustom ? { ...settings, custom_key: draft.customKey.trim() } : settings
}

/** What the API is sent for a change: only what is different, so that no change made elsewhere is undone. */
export function changeOf(draft: KeyDraft, key: ApiKeyView, nowMs: number): KeyPatch {
  const settings = settingsOf(draft, nowMs)
  const before: Settings = {
    ...settingsOf(draftOf(key), nowMs),
    // Without a limit there is nothing to reset, and the form shows its own suggestion.
    ...(key.quota_limit === null && settings.quota_limit === null ? { quota_reset: settings.quota_reset } : {}),
  }
  const names = Object.keys(settings) as (keyof Settings)[]
  const changed = names.filter((name) => JSON.stringify(settings[name]) !== JSON.stringify(before[name]))
  return Object.fromEntries(changed.map((name) => [name, settings[name]]))
}

/** The lines of a text that say something. */
export function linesOf(text: string): string[] {
  return text
    .split(/[\s,;，；]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Tags as they are typed, each once. A tag may have blanks in it. */
export function tagsOf(text: string): string[] {
  const tags = text.split(/[,，、;；\n]+/).map((tag) => tag.trim().toLowerCase())
  return [...new Set(tags.filter((tag) => tag !== ''))]
}

function settingsOf(draft: KeyDraft, nowMs: number): Settings {
  const quotaLimit = amountOrNone(draft.quotaLimit)
  return {
    name: draft.name.trim(),
    group: draft.group,
    fallback_groups: draft.fallbackGroups.filter((group) => group !== draft.group),
    quota_limit: quotaLimit,
    quota_reset: quotaLimit === null ? 'never' : draft.quotaReset,
    rate_limit: rateLimitOf(draft),
    expires_at: expiryOf(draft.validity, nowMs) ?? null,
    allowed_models: [...draft.allowedModels],
    allowed_ips: linesOf(draft.allowedIps),
    tags: tagsOf(draft.tags),
    response_cache: draft.responseCache,
  }
}

function rateLimitOf(draft: KeyDraft): RateLimitView | null {
  const limit: RateLimitView = {
    ...everyCount((field) => countOf(draft.counts[field], KEY_COUNT)),
    spend: SPEND_WINDOWS.flatMap((window) => {
      const usd = amountOrNone(draft.spend[window])
      return usd === null ? [] : [{ window, usd }]
    }),
  }
  const isEmpty = limit.spend.length === 0 && Object.values(limit).every((value) => typeof value !== 'number')
  return isEmpty ? null : limit
}
