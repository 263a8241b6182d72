import { readBroughtHash } from '../../access/brought-key.ts'
import type { RateLimit } from '../../access/key-settings.ts'
import { ZERO_NANO_USD } from '../../core/money.ts'
import type { QuotaReset } from '../../core/quota-period.ts'
import type { SpendWindow } from '../../core/quota-window.ts'
import type { ImportNotes, PlannedKey } from '../import-plan.ts'
import { isTrueIn, momentIn, type Row, rowName, textIn } from '../source.ts'
import { budgetOf, countsOf, type LitellmBudget, type LitellmMoney, resetOf, windowOf, KEYS } from './budgets.ts'
import type { Deployment } from './read-config.ts'

const LONGEST_NAME = 100
/** Keys by which people look at its own pages. */
const DASHBOARD = 'litellm-dashboard'
/** What keys may be limited to that lets them call all models. */
const OF_MODELS = 'llm_api_routes'
/** Kinds of keys that may call models; others manage the proxy, or read from it. */
const CALL_MODELS = ['', 'default', 'llm_api']

/** Owners of the keys there. */
export interface KeyOwners {
  readonly accountId: string
  readonly team: Row | undefined
  readonly user: Row | undefined
}

interface LitellmKeysAbout {
  readonly group: string
  readonly ownersOf: (row: Row) => KeyOwners
  /** Budgets by their ids. */
  readonly budgets: ReadonlyMap<string, Row>
  readonly access: ModelAccess
  readonly money: LitellmMoney
  readonly notes: ImportNotes
  readonly nowMs: number
}

/** Keys of the proxy’s pages, which are gone with it. */
export function isOfDashboard(row: Row): boolean {
  return textIn(row, 'team_id') === DASHBOARD
}

/** The key of a row; null, which is noted: none can go on working by it. */
export function keyOf(row: Row, about: LitellmKeysAbout): PlannedKey | null {
  const { notes, budgets, nowMs, money } = about
  const id = rowName(KEYS, row)
  if (isOfDashboard(row)) {
    notes.note(KEYS, null, 'of people who are signed in to its pages: not carried')
    return null
  }
  const hash = readBroughtHash(textIn(row, 'token'))
  if (hash === null) {
    notes.note(KEYS, null, 'that are not stored as a SHA-256: no client can use them there, and they are not carried')
    return null
  }
  const linked = budgets.get(textIn(row, 'budget_id'))
  const budget = budgetOf(KEYS, row, { money, nowMs, ...(linked === undefined ? {} : { linked }) })
  const { counts, isShut } = countsOf(row, linked)
  const spending = spendingOf(budget, { id, notes, nowMs })
  const owners = about.ownersOf(row)
  const models = modelsOf(row, owners, about)
  const stopped = [
    ...(isShut ? ['have a limit of 0, which lets nothing through'] : []),
    ...(models?.size === 0 ? ['may call no model'] : []),
    ...(CALL_MODELS.includes(textIn(row, 'key_type')) ? [] : ['are for managing the proxy, and call no model']),
    ...(isLimitedToRoutes(row) ? ['may call some routes alone, which no limit here says'] : []),
  ]
  for (const why of stopped) notes.note(KEYS, id, `${why}: they are imported disabled`)
  const isBlocked = isTrueIn(row, 'blocked') || (owners.team !== undefined && isTrueIn(owners.team, 'blocked'))
  return {
    id,
    accountId: owners.accountId,
    secret: { hash, end: /^sk-\.\.\.(.{1,4})$/.exec(textIn(row, 'key_name'))?.[1] ?? '' },
    name: (textIn(row, 'key_alias').trim() || `litellm ${id}`).slice(0, LONGEST_NAME),
    group: about.group,
    fallbackGroups: [],
    isActive: !isBlocked && stopped.length === 0,
    createdAt: momentIn(row, 'created_at'),
    expiresAt: momentIn(row, 'expires'),
    quotaLimit: spending.quotaLimit,
    quotaReset: spending.quotaReset,
    quotaUsed: spending.quotaUsed,
    rateLimit: rateLimitOf({ ...counts, spend: spending.spend }),
    spent: spending.spent,
    allowedModels: models === null ? [] : [...models].sort(),
    allowedIps: [],
  }
}

/** What the key and its team allow; where it has no team, its user. */
function modelsOf(row: Row, { team, user }: KeyOwners, { access }: LitellmKeysAbout): ReadonlySet<string> | null {
  return inBoth(access.of(row), access.of(team ?? user))
}

function isLimitedToRoutes(row: Row): boolean {
  const routes = arrayIn(row, 'allowed_routes')
  return routes.length > 0 && !routes.includes(OF_MODELS)
}

function rateLimitOf(limit: RateLimit): RateLimit | null {
  const { spend, ...counts } = limit
  return spend.length === 0 && Object.values(counts).every((count) => count === null) ? null : limit
}

type SourceKeySpending = Pick<PlannedKey, 'quotaLimit' | 'quotaUsed' | 'spent'> & {
  readonly quotaReset: QuotaReset
  readonly spend: RateLimit['spend']
}

const NO_QUOTA = { quotaLimit: null, quotaReset: 'never', quotaUsed: ZERO_NANO_USD, spend: [], spent: [] } as const

/** A quota where it begins anew at the same moments, else a window that lasts as long, else a quota for good. */
function spendingOf(
  budget: LitellmBudget | null,
  { id, notes, nowMs }: { id: string; notes: ImportNotes; nowMs: number },
): SourceKeySpending {
  if (budget === null) return NO_QUOTA
  const { max, used, duration, resetsAt } = budget
  const quota = { ...NO_QUOTA, quotaLimit: max, quotaUsed: used }
  if (duration === '') return quota
  const quotaReset = resetOf(budget, nowMs)
  if (quotaReset !== null) return { ...quota, quotaReset }
  const window = spendWindowOf(budget)
  if (window !== null) {
    notes.note(KEYS, id, `have a budget for each ${duration}, whose next begins with its first use here`)
    return { ...NO_QUOTA, spend: [{ window, usd: max }], spent: [{ window, used, endsAt: resetsAt }] }
  }
  notes.note(KEYS, id, `have a budget for each ${duration}, which is a quota for good here: set when it begins anew`)
  return quota
}

function spendWindowOf(budget: LitellmBudget): SpendWindow | null {
  const window = windowOf(budget)
  return window === '30d' ? null : window
}

/** Names that stand for all models of the source. */
const ALL = ['all-proxy-models', '*']
/** The name that adds nothing: what a key may call is then what its team may. */
const OF_TEAM = 'all-team-models'
const NONE = 'no-default-models'

/** The models that keys may call. */
export class ModelAccess {
  readonly #models: readonly string[]
  readonly #groups: ReadonlyMap<string, ReadonlySet<string>>

  /** `models`: those that are imported. `deployments`: where they say which named sets they belong to. */
  constructor(models: readonly string[], deployments: readonly Deployment[]) {
    this.#models = models
    const groups = new Map<string, Set<string>>()
    for (const { name, info } of deployments) {
      const named = info.get('access_groups')
      for (const group of Array.isArray(named) ? named.map(String) : [])
        groups.set(group, (groups.get(group) ?? new Set<string>()).add(name))
    }
    this.#groups = groups
  }

  /** The models of a row that lists some; null: all. */
  of(row: Row | undefined): ReadonlySet<string> | null {
    const listed = row === undefined ? [] : arrayIn(row, 'models')
    if (listed.length === 0 || listed.some((name) => ALL.includes(name) || name === OF_TEAM)) return null
    return new Set(listed.filter((name) => name !== NONE).flatMap((name) => this.#named(name)))
  }

  #named(name: string): readonly string[] {
    const group = this.#groups.get(name)
    if (group !== undefined) return [...group]
    return name.endsWith('*') ? this.#models.filter((model) => model.startsWith(name.slice(0, -1))) : [name]
  }
}

/** Models that both allow; null: all. */
function inBoth(a: ReadonlySet<string> | null, b: ReadonlySet<string> | null): ReadonlySet<string> | null {
  if (a === null || b === null) return a ?? b
  return new Set([...a].filter((name) => b.has(name)))
}

/** A column with an array of texts, as PostgreSQL writes it: `{a,"b c"}`. */
function arrayIn(row: Row, column: string): readonly string[] {
  const text = textIn(row, column).trim()
  if (!text.startsWith('{') || !text.endsWith('}')) return []
  const parts = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\[^])*)"|([^,"]+)/g)
  return [...parts].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replace(/\\([^])/g, '$1'),
  )
}
