/** What the console's pages ask the API for, with other filters and spans each time. */
import { DAY_MS, HOUR_MS } from '../../src/core/durations.ts'
import { GROUPS, MODELS } from '../../tools/seed/catalog.ts'
import { skewed } from '../../tools/seed/plan.ts'
import type { Seeded } from '../../tools/seed/seed-database.ts'
import { type AskApi, DECLARED_MODELS, DECLARED_UPSTREAM } from './large-gateway.ts'
import type { TimedView } from './timed-views.ts'

const LIST_BAR_MS = 200
const CHART_BAR_MS = 300
const SUMMARY = '/api/usage/summary'

type Random = () => number
type Query = Readonly<Record<string, string>>

export interface LargeBooks extends Seeded {
  /** The end of the last seeded request, in epoch milliseconds. */
  readonly untilMs: number
  readonly ask: AskApi
}

/** The lists and charts of the account with the most of everything, those of all accounts, and the administration. */
export function viewRequests(books: LargeBooks): readonly TimedView[] {
  const [accountId = ''] = books.accountIds
  return [
    ...usageViews('account', accountId, books),
    ...usageViews('admin', '*', books),
    ...administrationLists(books),
    ...explorerViews(books),
  ]
}

function usageViews(who: string, accountId: string, { ask, keyIds, untilMs }: LargeBooks): readonly TimedView[] {
  const view = (name: string, path: string, query: (random: Random) => Query): TimedView => ({
    name: `${who}: ${name}`,
    barMs: path === SUMMARY ? CHART_BAR_MS : LIST_BAR_MS,
    run: (random) => ask(path, { account_id: accountId, ...query(random) }),
  })
  const requests = (name: string, query: (random: Random) => Query = () => ({})) =>
    view(`requests ${name}`, '/api/usage', query)
  const keys = (name: string, query: (random: Random) => Query) =>
    view(`keys ${name}`, '/api/keys', (random) => ({
      order: random() < 0.5 ? 'asc' : 'desc',
      ...query(random),
    }))
  const chart = (by: 'hour' | 'day', days: number, split: string) =>
    view(`chart of ${days} days by ${by} and ${split}`, SUMMARY, (random) => ({
      by,
      split,
      ...lastDays(untilMs, days, random),
      ...(random() < 0.3 && split !== 'model' ? { model: pick(MODELS, random).name } : {}),
    }))
  return [
    requests('newest'),
    requests('of a key', (random) => ({ key: pick(keyIds, random) })),
    requests('of a model', (random) => ({ model: pick(MODELS, random).name })),
    requests('of an unused model', () => ({ model: DECLARED_MODELS[0] ?? '' })),
    requests('of a group', (random) => ({ group: pick(GROUPS, random).name })),
    requests('that failed', () => ({ fault: 'any' })),
    requests('that were aborted', () => ({ outcome: 'aborted' })),
    requests('of a day and model', (random) => ({
      model: pick(MODELS, random).name,
      ...lastDays(untilMs - random() * 60 * DAY_MS, 1, random),
    })),
    ...['created_at', 'name', 'last_used_at', 'spent', 'expires_at'].map((sort) =>
      keys(`by ${sort}`, () => ({ sort })),
    ),
    ...['active', 'disabled', 'expired', 'quota_exhausted'].map((status) =>
      keys(`that are ${status}`, () => ({ status })),
    ),
    keys('found by four characters', (random) => ({ search: digits(random, 4) })),
    keys('nowhere found', () => ({ search: 'no key is called so' })),
    ...['key', 'model', 'group', 'none'].flatMap((split) => [chart('day', 30, split), chart('hour', 7, split)]),
  ]
}

function administrationLists({ ask, accountIds, untilMs }: LargeBooks): readonly TimedView[] {
  const list = (name: string, path: string, query: (random: Random) => Query = () => ({})): TimedView => ({
    name,
    barMs: LIST_BAR_MS,
    run: (random) => ask(path, query(random)),
  })
  return [
    list('overview', '/api/attention'),
    list('accounts', '/api/accounts'),
    list('accounts, found by a part of the email', '/api/accounts', (random) => ({
      search: `ed-${digits(random, 3)}`,
    })),
    list('accounts, nowhere found', '/api/accounts', () => ({ search: 'no account is called so' })),
    list('ledger of an account', '/api/ledger', (random) => ({ account_id: pick(accountIds, random) })),
    list('models', '/api/models', () => ({ limit: '200' })),
    list('models, found', '/api/models', (random) => ({ search: pick(DECLARED_MODELS, random).slice(0, -1) })),
    list('upstreams', '/api/upstreams'),
    list('upstreams, found', '/api/upstreams', () => ({ search: DECLARED_UPSTREAM })),
    list('groups', '/api/groups'),
    list('plans', '/api/plans'),
    list('redeem codes', '/api/redeem-codes'),
    list('audit of an action, nowhere found', '/api/audit', () => ({ action: 'announcement.' })),
    list('incidents of 31 days', '/api/incidents', () => ({ days: '31' })),
    list('margins of models', '/api/margins', (random) => ({ split: 'model', ...lastDays(untilMs, 30, random) })),
  ]
}

function explorerViews({ ask, accountIds, keyIds, untilMs }: LargeBooks): readonly TimedView[] {
  const view = (name: string, days: number, query: (random: Random) => Query): TimedView => ({
    name: `explorer: ${name}, ${days} days`,
    barMs: CHART_BAR_MS,
    run: (random) => ask('/api/usage/explore', { ...query(random), ...lastDays(untilMs, days, random) }),
  })
  return [7, 30].flatMap((days) => [
    ...['model', 'account', 'key', 'upstream', 'credential', 'tag'].map((by) => view(`by ${by}`, days, () => ({ by }))),
    view('by group and model', days, () => ({ by: 'group', and: 'model' })),
    view('by error and model', days, () => ({ by: 'fault', and: 'model' })),
    view('keys of a model', days, (random) => ({ by: 'key', model: pick(MODELS, random).name })),
    view('models of an account', days, (random) => ({ by: 'model', account: pick(accountIds, random) })),
    view('errors of a key', days, (random) => ({ by: 'fault', key: pick(keyIds, random) })),
  ])
}

/** So many days that end within the week before `untilMs`, at a whole hour as the console asks. */
function lastDays(untilMs: number, days: number, random: Random): Query {
  const toMs = Math.floor((untilMs - random() * 7 * DAY_MS) / HOUR_MS) * HOUR_MS
  return { from: new Date(toMs - days * DAY_MS).toISOString(), to: new Date(toMs).toISOString() }
}

function digits(random: Random, count: number): string {
  return String(Math.floor(random() * 10 ** count)).padStart(count, '0')
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[skewed(items.length, random)]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}
