import type { KeyOrder } from '../../src/access/key-list.ts'
import { firstIdAt } from '../../src/core/ids.ts'
import type { Store } from '../../src/store/store.ts'
import { GROUPS, MODELS } from '../../tools/seed/catalog.ts'
import { type SeedPlan, skewed } from '../../tools/seed/plan.ts'
import type { Seeded } from '../../tools/seed/seed-database.ts'
import type { ViewQuery } from './timed-views.ts'

const LIST_BAR_MS = 200
const CHART_BAR_MS = 300
const DAY_MS = 86_400_000
const PAGE = 50

/** Every list and chart, of the account with the most of everything and, for admins, of all accounts. */
export function viewQueries(store: Store, { accountIds, keyIds }: Seeded, plan: SeedPlan): readonly ViewQuery[] {
  const scopes = [
    { who: 'account', accountId: accountIds[0] ?? '' },
    { who: 'admin', accountId: null },
  ]
  return [
    ...scopes.flatMap(({ who, accountId }) => [
      ...recordLists(store, { accountId, keyIds, plan }).map((query) => ({ ...query, name: `${who}: ${query.name}` })),
      ...charts(store, { accountId, keyIds, plan }).map((query) => ({ ...query, name: `${who}: ${query.name}` })),
      ...keyLists(store, accountId).map((query) => ({ ...query, name: `${who}: ${query.name}` })),
    ]),
    ...ledgerLists(store, accountIds[0] ?? '', plan),
    firstSteps(store, accountIds[0] ?? '', plan),
  ]
}

interface Scope {
  readonly accountId: string | null
  readonly keyIds: readonly string[]
  readonly plan: SeedPlan
}

function recordLists(store: Store, { accountId, keyIds, plan }: Scope): readonly ViewQuery[] {
  const list = (name: string, filter: (random: () => number) => object, isDeep = false): ViewQuery => ({
    name: `records ${name}`,
    barMs: LIST_BAR_MS,
    run: (random) => {
      const after = isDeep ? idAt(plan, random) : null
      return store.usage.list({ accountId, ...filter(random) }, { after, limit: PAGE })
    },
  })
  return [
    list('newest', () => ({})),
    list('deep page', () => ({}), true),
    list('of a key', (random) => ({ keyId: pick(keyIds, random) })),
    list('of a model', (random) => ({ model: pick(MODELS, random).name })),
    list('of a model, deep page', (random) => ({ model: pick(MODELS, random).name }), true),
    list('of a group', (random) => ({ groupId: pick(GROUPS, random).id }), true),
    list('of key and model', (random) => ({ keyId: pick(keyIds, random), model: pick(MODELS, random).name })),
    list('with a fault', () => ({ fault: 'any' }), true),
    list('with one fault', (random) => ({ fault: pick(['rate_limited', 'upstream_timeout'], random) })),
    list('with an unseen fault', () => ({ fault: 'draining' })),
    list('aborted', () => ({ outcome: 'aborted' }), true),
    list('of an unused model', () => ({ model: 'none' }), true),
    list('of a day', (random) => dayAt(plan, random)),
    list('of a day and model', (random) => ({ ...dayAt(plan, random), model: pick(MODELS, random).name })),
    list('by the beginning of an id', (random) => ({ idPrefix: idAt(plan, random).slice(0, 12) })),
  ]
}

function charts(store: Store, { accountId, keyIds, plan }: Scope): readonly ViewQuery[] {
  const chart = (by: 'hour' | 'day', days: number, split: 'key' | 'model' | 'group' | null): ViewQuery => ({
    name: `chart of ${days} days by ${by}${split === null ? '' : ` and ${split}`}`,
    barMs: CHART_BAR_MS,
    run: (random) => {
      const toMs = plan.untilMs - Math.floor(random() * (plan.days - days) * DAY_MS)
      const query = { accountId, by, split, top: 10, fromMs: toMs - days * DAY_MS, toMs }
      const isFiltered = random() < 0.3
      return store.usage.summary({
        ...query,
        ...(isFiltered && split !== 'model' ? { model: pick(MODELS, random).name } : {}),
        offsetMinutes: random() < 0.5 ? 0 : 480,
      })
    },
  })
  const splits = ['key', 'model', 'group', null] as const
  return [
    ...splits.map((split) => chart('day', plan.days, split)),
    ...splits.map((split) => chart('day', 30, split)),
    ...splits.map((split) => chart('hour', 7, split)),
    chart('hour', 1, 'key'),
    {
      name: 'chart of a key',
      barMs: CHART_BAR_MS,
      run: (random) =>
        store.usage.summary({
          accountId,
          by: 'day',
          split: 'model',
          top: 10,
          keyId: pick(keyIds, random),
          fromMs: plan.untilMs - plan.days * DAY_MS,
          toMs: plan.untilMs,
        }),
    },
  ]
}

function keyLists(store: Store, accountId: string | null): readonly ViewQuery[] {
  const orders: readonly KeyOrder['by'][] = ['created_at', 'name', 'last_used_at', 'spent', 'expires_at']
  const list = (name: string, filter: object, by: KeyOrder['by']): ViewQuery => ({
    name: `keys ${name}`,
    barMs: LIST_BAR_MS,
    run: async (random) => {
      const order = { by, isDescending: random() < 0.5 }
      const first = await store.keys.page({ accountId, ...filter }, { order, after: null, limit: PAGE })
      return random() < 0.5 ? first : first.next
    },
  })
  const statuses = ['active', 'disabled', 'expired', 'quota_exhausted'] as const
  return [
    ...orders.map((by) => list(`by ${by}`, {}, by)),
    ...statuses.map((status) => list(`that are ${status}`, { status }, 'created_at')),
    list('that are active, by spent', { status: 'active' }, 'spent'),
    list('found', { search: 'ÜBERPRÜFUNG 12' }, 'created_at'),
    list('found, by last_used_at', { search: 'jenk' }, 'last_used_at'),
    list('nowhere found', { search: 'no key is called so' }, 'name'),
    list('of a group', { groupId: GROUPS[1]?.id }, 'name'),
  ]
}

function ledgerLists(store: Store, accountId: string, plan: SeedPlan): readonly ViewQuery[] {
  const list = (name: string, filter: (random: () => number) => object): ViewQuery => ({
    name: `ledger ${name}`,
    barMs: LIST_BAR_MS,
    run: (random) => {
      const after = random() < 0.5 ? null : 1 + Math.floor(random() * plan.records * 0.4)
      return store.ledger.page({ accountId, ...filter(random) }, { after, limit: PAGE })
    },
  })
  return [
    list('of everything', () => ({})),
    list('of all but usage', () => ({ kind: 'grant' })),
    list('of a day', (random) => dayAt(plan, random)),
  ]
}

function firstSteps(store: Store, accountId: string, plan: SeedPlan): ViewQuery {
  return {
    name: 'first steps',
    // A hundred tabs ask for it every second.
    barMs: 10,
    run: () => store.usage.firstSteps({ accountId, sinceMs: plan.untilMs - 600_000, limit: 10 }),
  }
}

function dayAt(plan: SeedPlan, random: () => number): { readonly fromMs: number; readonly toMs: number } {
  const fromMs = plan.untilMs - Math.floor((1 + random() * (plan.days - 1)) * DAY_MS)
  return { fromMs, toMs: fromMs + DAY_MS }
}

function idAt(plan: SeedPlan, random: () => number): string {
  return firstIdAt('req', plan.untilMs - Math.floor(random() * plan.days * DAY_MS))
}

function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[skewed(items.length, random)]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}
