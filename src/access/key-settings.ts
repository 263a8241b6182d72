import { type CountedLimitField, type CountedLimits, countsOf, countsOnWire } from '../core/counted-limits.ts'
import { formatUsd, type NanoUsd, parseUsd } from '../core/money.ts'
import type { QuotaReset } from '../core/quota-period.ts'
import type { KeyResponseCache } from '../core/response-cache-rule.ts'
import type { SpendWindow } from '../core/quota-window.ts'

/** What is set on a key, in the form in which it is stored. The rules are in `entitlement/key-settings.ts`. */
export interface KeySettings {
  readonly name: string
  readonly groupId: string
  /** Used in this order when the group cannot serve the model. */
  readonly fallbackGroupIds: readonly string[]
  readonly quotaLimit: NanoUsd | null
  readonly quotaReset: QuotaReset
  readonly rateLimit: RateLimit | null
  /** Epoch milliseconds. */
  readonly expiresAt: number | null
  /** Public model names; empty means all of the group's. */
  readonly allowedModels: readonly string[]
  /** IPs and CIDRs; empty means all. */
  readonly allowedIps: readonly string[]
  /** How the key uses the answers that its group keeps. */
  readonly responseCache: KeyResponseCache
  /** Tags by which its use is summed; no rule goes by them. */
  readonly tags: readonly string[]
}

export interface RateLimit extends CountedLimits {
  readonly spend: readonly { readonly window: SpendWindow; readonly usd: NanoUsd }[]
}

/** What holds where nothing is said, by the contract. */
export const UNSET = {
  quotaLimit: null,
  quotaReset: 'never',
  rateLimit: null,
  expiresAt: null,
  allowedModels: [],
  allowedIps: [],
  responseCache: 'group',
  tags: [],
} as const satisfies Omit<KeySettings, 'name' | 'groupId' | 'fallbackGroupIds'>

/** Settings as they are asked for: with names of groups, and addresses in any form. What is absent stays as it is. */
export type WantedSettings = {
  readonly [Field in keyof typeof UNSET | 'name']?: KeySettings[Field] | undefined
} & {
  readonly group?: string | undefined
  readonly fallbackGroups?: readonly string[] | undefined
}

/** A key's settings as the contract's JSON writes them; `groupName` puts names to the ids of groups. */
export function settingsOnWire(settings: KeySettings, groupName: (id: string) => string) {
  const { quotaLimit, rateLimit, expiresAt } = settings
  return {
    name: settings.name,
    group: groupName(settings.groupId),
    fallback_groups: settings.fallbackGroupIds.map(groupName),
    quota_limit: quotaLimit === null ? null : formatUsd(quotaLimit),
    quota_reset: settings.quotaReset,
    rate_limit: rateLimit === null ? null : rateLimitOnWire(rateLimit),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    allowed_models: [...settings.allowedModels],
    allowed_ips: [...settings.allowedIps],
    response_cache: settings.responseCache,
    tags: [...settings.tags],
  }
}

/** Settings as the contract's JSON writes them; what is absent is not asked for. */
export type SentSettings = {
  readonly [Field in keyof OnWire]?: OnWire[Field] | undefined
}

type OnWire = Omit<ReturnType<typeof settingsOnWire>, 'rate_limit'> & { readonly rate_limit: RateLimitOnWire | null }

interface RateLimitOnWire extends Readonly<Partial<Record<CountedLimitField, number | null>>> {
  readonly spend: readonly { readonly window: SpendWindow; readonly usd: string }[]
}

/** Reads what the contract's schema let through. */
export function wantedOf(sent: SentSettings): WantedSettings {
  const { quota_limit: quotaLimit, rate_limit: rateLimit, expires_at: expiresAt } = sent
  return {
    name: sent.name,
    group: sent.group,
    fallbackGroups: sent.fallback_groups,
    quotaLimit: quotaLimit == null ? quotaLimit : parseUsd(quotaLimit),
    quotaReset: sent.quota_reset,
    rateLimit: rateLimit == null ? rateLimit : rateLimitOf(rateLimit),
    expiresAt: expiresAt == null ? expiresAt : Date.parse(expiresAt),
    allowedModels: sent.allowed_models,
    allowedIps: sent.allowed_ips,
    responseCache: sent.response_cache,
    tags: sent.tags,
  }
}

function rateLimitOnWire(limit: RateLimit) {
  return { ...countsOnWire(limit), spend: limit.spend.map(({ window, usd }) => ({ window, usd: formatUsd(usd) })) }
}

function rateLimitOf(sent: RateLimitOnWire): RateLimit {
  return { ...countsOf(sent), spend: sent.spend.map(({ window, usd }) => ({ window, usd: parseUsd(usd) })) }
}
