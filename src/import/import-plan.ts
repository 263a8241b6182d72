import type { KeySettings } from '../access/key-settings.ts'
import type { SubscriptionQuota } from '../access/subscription.ts'
import type { MintedKind } from '../core/credential-kind.ts'
import type { NanoUsd, PartsPerMillion } from '../core/money.ts'
import type { ModelPrices } from '../core/price-rules.ts'
import type { QuotaReset } from '../core/quota-period.ts'
import type { SpendWindow, SubscriptionWindow } from '../core/quota-window.ts'
import type { UpstreamDialect } from '../core/upstream-dialect.ts'
import type { RemoteProtocol } from '../core/upstream-protocol.ts'

/** Products whose database is read. */
const PRODUCTS_WITH_DATABASE = ['new-api', 'one-api', 'sub2api'] as const
export type ProductWithDatabase = (typeof PRODUCTS_WITH_DATABASE)[number]
/** All products. LiteLLM is read by its configuration, with its database beside it where that is given. */
export const PRODUCTS = [...PRODUCTS_WITH_DATABASE, 'litellm'] as const
export type Product = (typeof PRODUCTS)[number]

/**
 * What an import makes of another gateway's database. Objects name each other by the source's ids of accounts and by the
 * names of groups, upstreams and plans; nothing in it is stored yet. Times are epoch milliseconds.
 */
export interface ImportPlan {
  readonly product: Product
  /** What its columns say of its version; absent: nothing. */
  readonly generation?: readonly string[]
  /** The plan is of a configuration alone: accounts, keys and what they have bought stay as an earlier run has left them. */
  readonly isWithoutPeople?: true
  readonly groups: readonly PlannedGroup[]
  readonly upstreams: readonly PlannedUpstream[]
  readonly models: readonly PlannedModel[]
  readonly plans: readonly PlannedPlan[]
  readonly accounts: readonly PlannedAccount[]
  readonly keys: readonly PlannedKey[]
  readonly subscriptions: readonly PlannedSubscription[]
  readonly codes: readonly PlannedCode[]
  /** Variables that a configuration names; absent: the source is none. */
  readonly variables?: readonly NamedVariable[]
  readonly notes: readonly Note[]
  readonly approximations: readonly Approximation[]
}

/**
 * An environment variable that a configuration names. `to`: where its value would go. `never`: it is this gateway's own, or the
 * machine's. `configured`: the configuration sets it by itself.
 */
export interface NamedVariable {
  readonly name: string
  readonly to: string
  readonly state: 'taken' | 'configured' | 'not_allowed' | 'never' | 'unset'
}

export interface PlannedGroup {
  readonly name: string
  readonly multiplier: PartsPerMillion
  readonly isOpen: boolean
  readonly isEnabled: boolean
  /** The source has no groups: one that is here under this name stays as it is. */
  readonly isOnlyAPlace?: true
}

export interface PlannedUpstream {
  readonly id: string
  readonly name: string
  readonly protocol: RemoteProtocol
  readonly baseUrl: string
  /** The environment variable that the address stands in, and that is shown in its place. */
  readonly baseUrlFrom?: string
  readonly credentials: readonly PlannedCredential[]
  readonly proxyUrl: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly maxConcurrency: number | null
  /** Absent: the standard. */
  readonly firstByteTimeoutMs?: number
  /** The cloud that it is bought from; absent: none. */
  readonly dialect?: UpstreamDialect
  /** The region that requests are signed for; absent: the base URL names it. */
  readonly region?: string
  /** The version of the cloud's API; absent: requests name none. */
  readonly apiVersion?: string
}

export interface PlannedCredential {
  readonly name: string
  /** Empty where its kind has none. */
  readonly secret: string
  readonly isDisabled: boolean
  /** Absent: the secret is sent as it is. */
  readonly kind?: MintedKind
  /** What its kind is set with. */
  readonly settings?: Readonly<Record<string, string>>
  /** Absent: none. */
  readonly requestsPerMinute?: number
  readonly tokensPerMinute?: number
}

export interface PlannedModel {
  readonly name: string
  /** null: it cannot be sold before an admin sets one. */
  readonly prices: ModelPrices | null
  readonly targets: readonly PlannedTarget[]
}

export interface PlannedTarget {
  readonly upstream: string
  readonly model: string
  readonly priority: number
  readonly weight: number
  /** Names; at least one. */
  readonly groups: readonly string[]
  /** The cost as a factor on the price of the model; null: not known. */
  readonly costFactor: PartsPerMillion | null
}

export interface PlannedPlan {
  readonly id: string
  readonly name: string
  readonly groups: readonly string[]
  /** The plan pays in its groups alone. Absent: it opens the closed ones among them too. */
  readonly opensGroups?: false
  readonly days: number
  readonly price: NanoUsd
  readonly quotas: readonly SubscriptionQuota[]
}

export interface PlannedAccount {
  readonly id: string
  readonly email: string
  readonly name: string
  /** bcrypt; null: there is none to sign in with. */
  readonly passwordHash: string | null
  readonly role: 'user' | 'admin'
  readonly isActive: boolean
  readonly balance: NanoUsd
  /** The balance as the source says it, such as `1500 units`. */
  readonly stated: string
  /** What tells this account from the one of the same id in another database of the product. */
  readonly madeOf: string
  /** Names of closed groups. */
  readonly openGroups: readonly string[]
  readonly limits: {
    readonly concurrency: number | null
    readonly requestsPerMinute: number | null
    readonly tokensPerMinute?: number | null
  }
  readonly createdAt: number | null
  /** What the OIDC provider of this installation calls its user; null: they do not sign in by it. */
  readonly oidcSubject: string | null
  /** Whether mail is wanted about the account; null: the source does not say. */
  readonly wantsMail: boolean | null
}

export interface PlannedKey extends Pick<
  KeySettings,
  'name' | 'quotaLimit' | 'rateLimit' | 'expiresAt' | 'allowedModels' | 'allowedIps'
> {
  readonly id: string
  readonly accountId: string
  /** The secret in the canonical form by which it is found, or its hash alone where no more of it is known. */
  readonly secret: string | PlannedHash
  readonly group: string
  readonly fallbackGroups: readonly string[]
  readonly isActive: boolean
  readonly createdAt: number | null
  /** Absent: never. */
  readonly quotaReset?: QuotaReset
  /** What is used of the quota, in the period that runs. */
  readonly quotaUsed: NanoUsd
  readonly spent: readonly SpentInWindow<SpendWindow>[]
}

/** The hash of a secret at the source, as such keys are stored here, and the end of it; empty: not known. */
export interface PlannedHash {
  readonly hash: string
  readonly end: string
}

/** What was used of a window that is not over. */
export interface SpentInWindow<Window> {
  readonly window: Window
  readonly used: NanoUsd
  readonly endsAt: number | null
}

export interface PlannedSubscription {
  readonly id: string
  readonly accountId: string
  readonly plan: string
  readonly startsAt: number
  readonly endsAt: number
  /** Quotas that it was sold with. Absent: those of the plan. */
  readonly quotas?: readonly SubscriptionQuota[]
  readonly spent: readonly SpentInWindow<SubscriptionWindow>[]
}

export interface PlannedCode {
  readonly id: string
  readonly code: string
  readonly grants: { readonly usd: NanoUsd } | { readonly plan: string; readonly days: number }
  readonly expiresAt: number | null
}

/** Something that is not carried, or not as it was. `ids`: of rows of the table. */
export interface Note {
  readonly table: string
  readonly ids: readonly string[]
  readonly what: string
}

/** Ways in which a plan may be near to the source without being equal, each to be accepted by its name. */
export const APPROXIMATIONS = {
  rounding: 'balances and quotas are rounded down to one nano-USD',
  multiplier: 'multipliers are rounded to six decimals',
  price: 'prices are rounded to one nano-USD per million tokens',
  'completion-ratio':
    'output is priced by the ratio that new-api of 2026-07 has for such names, which may not be that of the source’s release',
  'built-in-ratio':
    'cached input, pictures and sound are priced by the stored ratios, where the source may use ones that are built into it',
  catalogue: 'models of which the source says no price have that of the price list that is shipped here',
  intervals: 'a request has the price of its length as a whole, where the source prices each part of it',
  'group-prices':
    'models cost the same in all groups, times the multiplier, where the source has another price in some',
  months: 'a month is 30 days, and a year 365',
  'taken-groups': 'groups that are open to all stay open to users whom the source takes them from',
} as const
export type ApproximationName = keyof typeof APPROXIMATIONS

/** What is done only where `--accept` names it. */
export const ACCEPTABLE = {
  ...APPROXIMATIONS,
  'same-email': 'accounts whose email address an account here has already are joined with it',
  differences: 'what the running source that --verify names says otherwise than the plan, or does not say',
  'same-group':
    'groups here that have the name of one there get its multiplier, and keys that are in them are charged by it',
} as const
export type Acceptable = keyof typeof ACCEPTABLE

export interface Approximation {
  readonly name: ApproximationName
  /** What it is of, such as the name of a group. */
  readonly subjects: readonly string[]
}

/** What the person who imports decides. */
export interface ImportSettings {
  readonly accepted: ReadonlySet<Acceptable>
  /** What becomes of balances below zero; null: they are refused. */
  readonly negative: 'keep' | 'zero' | null
  /** Whether admins of the source, whom the report names, are admins here. */
  readonly admins: 'keep' | 'none'
  /** The answer of `GET /api/pricing` of the running source; null: what its database has. */
  readonly pricing: unknown
  /** The price list that is shipped; null or absent: there is none. */
  readonly catalogue?: ListPrices | null
  /** The issuer of the OIDC provider that people sign in by here; null: none is set. */
  readonly oidcIssuer: string | null
  readonly nowMs: number
}

/** What providers ask for models. */
export interface ListPrices {
  /** The owner of the list, and its day. */
  readonly named: string
  /**
   * The price at the cloud of a base URL, or at the provider that is named, where the list has it there; else of its maker.
   * null: it has none of that name, or several.
   */
  priceOf(name: string, provider?: string, baseUrl?: string): ModelPrices | null
  /** The names of a provider's models, by the list’s name of it; absent: the list is not asked for names. */
  namesOf?(provider: string): readonly string[]
}

/** Gathers what a plan says beside its objects: each sentence once, with all the rows that it is about. */
export class ImportNotes {
  readonly #notes = new Map<string, { table: string; what: string; ids: string[] }>()
  readonly #approximations = new Map<ApproximationName, Set<string>>()

  /** `id`: of the row; null: of the table as a whole. */
  note(table: string, id: string | null, what: string): void {
    const key = `${table}\n${what}`
    const known = this.#notes.get(key) ?? { table, what, ids: [] }
    if (id !== null && known.ids.at(-1) !== id) known.ids.push(id)
    this.#notes.set(key, known)
  }

  approximate(name: ApproximationName, subject: string): void {
    this.#approximations.set(name, (this.#approximations.get(name) ?? new Set<string>()).add(subject))
  }

  get notes(): readonly Note[] {
    return [...this.#notes.values()]
  }

  get approximations(): readonly Approximation[] {
    return [...this.#approximations].map(([name, subjects]) => ({ name, subjects: [...subjects] }))
  }
}
