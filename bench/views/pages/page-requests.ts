/** What the pages of those who run the place ask the API for, each with other filters and places each time. */
import { skewed } from '../../../tools/seed/plan.ts'
import { GROUPS, MODELS } from '../../../tools/seed/catalog.ts'
import type { ViewQuery } from '../timed-views.ts'
import { DECLARED_MODELS, DECLARED_UPSTREAM, type PagesPlace } from './place.ts'

const LIST_BAR_MS = 200
const EXPLORER_BAR_MS = 300
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Random = () => number
type Query = Readonly<Record<string, string>>

/** All lists of the administration and the views of its explorer. */
export function pageRequests(place: PagesPlace): readonly ViewQuery[] {
  return [...lists(place), ...explorer(place)]
}

function lists(place: PagesPlace): readonly ViewQuery[] {
  const { accountIds, keyIds, untilMs } = place
  const list = (name: string, path: string, query: (random: Random) => Query = () => ({})): ViewQuery => ({
    name,
    barMs: LIST_BAR_MS,
    run: (random) => place.ask(path, query(random)),
  })
  const one = (random: Random): string => pick(accountIds, random)
  return [
    list('overview', '/api/attention'),
    list('accounts', '/api/accounts'),
    list('accounts, found by a part of the email', '/api/accounts', (random) => ({
      search: `ed-${digits(random, 4)}`,
    })),
    list('accounts, nowhere found', '/api/accounts', () => ({ search: 'no account is called so' })),
    list('accounts, of a role', '/api/accounts', () => ({ role: 'auditor' })),
    {
      name: 'one account',
      barMs: LIST_BAR_MS,
      run: (random) => place.ask(`/api/accounts/${one(random)}`, {}),
    },
    list('keys of all', '/api/keys', () => ({ account_id: '*' })),
    list('keys of all, by spend', '/api/keys', () => ({ account_id: '*', sort: 'spent' })),
    list('keys of all, by last use', '/api/keys', () => ({ account_id: '*', sort: 'last_used_at' })),
    list('keys of all, found by four characters', '/api/keys', (random) => ({
      account_id: '*',
      search: digits(random, 4),
    })),
    list('keys of an account', '/api/keys', (random) => ({ account_id: one(random) })),
    list('requests, newest', '/api/usage', () => ({ account_id: '*' })),
    list('requests of a key', '/api/usage', (random) => ({ account_id: '*', key: pick(keyIds, random) })),
    list('requests of a model', '/api/usage', (random) => ({ account_id: '*', model: pick(MODELS, random).name })),
    list('requests of an unused model', '/api/usage', () => ({ account_id: '*', model: DECLARED_MODELS[0] ?? '' })),
    list('requests that failed', '/api/usage', () => ({ account_id: '*', fault: 'any' })),
    list('requests of a day and client', '/api/usage', (random) => ({
      account_id: '*',
      client: 'claude-code',
      ...dayBefore(untilMs, random),
    })),
    list('models', '/api/models', () => ({ limit: '200' })),
    list('models, found', '/api/models', (random) => ({ search: pick(DECLARED_MODELS, random).slice(0, -1) })),
    list('upstreams', '/api/upstreams'),
    list('upstreams, found', '/api/upstreams', () => ({ search: DECLARED_UPSTREAM })),
    list('groups', '/api/groups'),
    list('plans', '/api/plans'),
    list('redeem codes', '/api/redeem-codes'),
    list('redeem codes, found', '/api/redeem-codes', () => ({ search: 'of the bench' })),
    list('audit', '/api/audit'),
    list('audit of an actor', '/api/audit', () => ({ actor: 'admin_token' })),
    list('audit of an action, nowhere found', '/api/audit', () => ({ action: 'announcement.' })),
    list('ledger of an account', '/api/ledger', (random) => ({ account_id: one(random) })),
    list('incidents of 31 days', '/api/incidents', () => ({ days: '31' })),
    list('margins of models', '/api/margins', (random) => ({ split: 'model', ...lastDays(untilMs, 30, random) })),
  ]
}

function explorer(place: PagesPlace): readonly ViewQuery[] {
  const view = (name: string, days: number, query: (random: Random) => Query): ViewQuery => ({
    name: `explorer: ${name}, ${days === 1 ? '1 day' : `${days} days`}`,
    barMs: EXPLORER_BAR_MS,
    run: (random) => place.ask('/api/usage/explore', { ...query(random), ...lastDays(place.untilMs, days, random) }),
  })
  const { accountIds, keyIds } = place
  return [1, 7, 30].flatMap((days) => [
    view('by model', days, () => ({ by: 'model' })),
    view('by account', days, () => ({ by: 'account' })),
    view('by key', days, () => ({ by: 'key' })),
    view('by group and model', days, () => ({ by: 'group', and: 'model' })),
    view('by account and model', days, () => ({ by: 'account', and: 'model' })),
    view('by key and model', days, () => ({ by: 'key', and: 'model' })),
    view('by upstream', days, () => ({ by: 'upstream' })),
    view('by credential', days, () => ({ by: 'credential' })),
    view('by client and protocol', days, () => ({ by: 'client', and: 'protocol' })),
    view('by tag', days, () => ({ by: 'tag' })),
    view('by error and model', days, () => ({ by: 'fault', and: 'model' })),
    view('keys of a model', days, (random) => ({ by: 'key', model: pick(MODELS, random).name })),
    view('models of an account', days, (random) => ({ by: 'model', account: pick(accountIds, random) })),
    view('errors of a key', days, (random) => ({ by: 'fault', key: pick(keyIds, random) })),
    view('models of a group', days, (random) => ({ by: 'model', group: pick(GROUPS, random).name })),
  ])
}

/** So many days that end within the last week, at a whole hour as the console asks. */
function lastDays(untilMs: number, days: number, random: Random): Query {
  const toMs = Math.floor((untilMs - random() * 7 * DAY_MS) / HOUR_MS) * HOUR_MS
  return { from: new Date(toMs - days * DAY_MS).toISOString(), to: new Date(toMs).toISOString() }
}

function dayBefore(untilMs: number, random: Random): Query {
  const toMs = untilMs - Math.floor(random() * 60 * DAY_MS)
  return { from: new Date(toMs - DAY_MS).toISOString(), to: new Date(toMs).toISOString() }
}

function digits(random: Random, count: number): string {
  return String(Math.floor(random() * 10 ** count)).padStart(count, '0')
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[skewed(items.length, random)]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}
