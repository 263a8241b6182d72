import { newId } from '../../src/core/ids.ts'
import type { Expectation, Making } from './control-expectation.ts'
import { adminOnly, allAlike, ofOwner, ownOnly, type Statuses } from './control-statuses.ts'
import { aSettlement } from './store-fixtures.ts'

/** All accounts see it; the details need rights. */
const forAll = (): Statuses => allAlike()

/** Off until a setting turns it on, so it is there for no one. */
const nothingThere = (): Statuses => ({ anonymous: 404, other: 404, owner: 404, admin: 404, adminToken: 404 })

const ANNOUNCED = { title: { en: 'News', 'zh-CN': '新消息' } }

/** The routes of the catalogue, of usage and of the books. */
export const EXPECTATIONS_OF_CATALOGUE_AND_BOOKS: Readonly<Record<string, Expectation>> = {
  'GET /api/groups': { statuses: forAll() },
  'GET /api/groups.csv': { statuses: forAll() },
  'GET /api/groups.ndjson': { statuses: forAll() },
  'POST /api/groups': { statuses: adminOnly(201), body: () => ({ name: newName('group') }) },
  'GET /api/groups/use': { statuses: adminOnly() },
  'POST /api/groups/{id}/move-keys': {
    statuses: adminOnly(),
    make: aGroupWithAKey,
    body: { to: 'default' },
  },
  'GET /api/groups/{id}': { statuses: forAll(), make: aGroup },
  'PATCH /api/groups/{id}': { statuses: adminOnly(), make: aGroup, body: { multiplier: '2' } },
  'DELETE /api/groups/{id}': { statuses: adminOnly(204), make: aGroup },
  'GET /api/models': { statuses: forAll() },
  'GET /api/models.csv': { statuses: forAll() },
  'GET /api/models.ndjson': { statuses: forAll() },
  'GET /api/models/traffic': { statuses: ownOnly() },
  'POST /api/models': { statuses: adminOnly(201), body: () => ({ name: newName('model') }) },
  // It has no target, so it cannot be used.
  'GET /api/models/{id}': { statuses: { ...adminOnly(), other: 404, owner: 404 }, make: aModel },
  'GET /api/models/{id}/facts': { statuses: adminOnly(), make: aModel },
  'PATCH /api/models/{id}': { statuses: adminOnly(), make: aModel, body: { price: { input: '2', output: '3' } } },
  'DELETE /api/models/{id}': { statuses: adminOnly(204), make: aModel },
  'POST /api/prices/calculate': { statuses: adminOnly(), body: { price: { input: '1', output: '2' } } },
  'GET /api/prices/catalogue': { statuses: adminOnly() },
  // Nothing listens there: how far it came is in the answer.
  'POST /api/prices/fetch': { statuses: adminOnly(), body: { url: 'http://127.0.0.1:9' } },
  'GET /api/upstreams': { statuses: adminOnly() },
  'GET /api/upstreams.csv': { statuses: adminOnly() },
  'GET /api/upstreams.ndjson': { statuses: adminOnly() },
  'POST /api/upstreams': {
    statuses: adminOnly(201),
    body: () => ({ name: newName('upstream'), protocol: 'openai', base_url: 'https://api.example.test/v1' }),
  },
  'GET /api/upstreams/local': { statuses: adminOnly() },
  'GET /api/upstreams/status': { statuses: adminOnly() },
  'POST /api/upstreams/probe': { statuses: adminOnly(), body: { base_url: 'https://api.example.test/v1' } },
  'GET /api/upstreams/{id}': { statuses: adminOnly(), make: anUpstream },
  'PATCH /api/upstreams/{id}': { statuses: adminOnly(), make: anUpstream, body: { timeout_ms: 1000 } },
  'DELETE /api/upstreams/{id}': { statuses: adminOnly(204), make: anUpstream },
  'GET /api/upstreams/{id}/credentials': { statuses: adminOnly(), make: anUpstream },
  'GET /api/upstreams/{id}/credentials.csv': { statuses: adminOnly(), make: anUpstream },
  'GET /api/upstreams/{id}/credentials.ndjson': { statuses: adminOnly(), make: anUpstream },
  'PATCH /api/upstreams/{id}/credentials/{name}': {
    statuses: adminOnly(),
    make: aCredential,
    body: { disabled: true },
  },
  // No upstream is tried here: for admins it is only known that there is none of this id.
  'POST /api/upstreams/{id}/test': { statuses: adminOnly(404) },
  'POST /api/upstreams/{id}/test-request': { statuses: adminOnly(404), body: { model: 'any' } },
  'POST /api/upstreams/{id}/models': { statuses: adminOnly(404) },
  'POST /api/upstreams/{id}/ignored-models': {
    statuses: adminOnly(),
    make: anUpstream,
    body: { models: ['an-old-model'], ignored: true },
  },
  'GET /api/usage': { statuses: allAlike() },
  'GET /api/usage/summary': { statuses: allAlike() },
  'GET /api/usage/explore': { statuses: adminOnly() },
  'GET /api/usage/explore.csv': { statuses: adminOnly() },
  'GET /api/usage/explore.ndjson': { statuses: adminOnly() },
  'GET /api/usage/keys': { statuses: ownOnly() },
  'GET /api/usage/keys.csv': { statuses: ownOnly() },
  'GET /api/usage/tags': { statuses: ownOnly() },
  'GET /api/usage/first-steps': { statuses: ownOnly(), query: () => 'since=2026-11-21T00:00:00Z' },
  'GET /api/usage.csv': { statuses: allAlike() },
  'GET /api/usage.ndjson': { statuses: allAlike() },
  'GET /api/usage/{id}': { statuses: ofOwner(), make: aUsageRecord },
  'GET /api/margins': { statuses: adminOnly() },
  'GET /api/margins.csv': { statuses: adminOnly() },
  'GET /api/cached-input': { statuses: adminOnly() },
  'GET /api/cached-input.csv': { statuses: adminOnly() },
  'GET /api/attention': { statuses: adminOnly() },
  'POST /api/attention/snooze': {
    statuses: adminOnly(),
    make: anItem,
    body: ({ item }: Made) => ({ items: [item], hours: 1, reason: 'It is known' }),
  },
  'POST /api/attention/wake': {
    statuses: adminOnly(),
    make: aSnoozedItem,
    body: ({ item }: Made) => ({ items: [item] }),
  },
  'GET /api/incidents': { statuses: adminOnly() },
  'GET /api/incidents.csv': { statuses: adminOnly() },
  'GET /api/incidents.ndjson': { statuses: adminOnly() },
  'GET /api/ledger': { statuses: ownOnly() },
  'GET /api/ledger/days': { statuses: ownOnly() },
  'GET /api/plans': { statuses: forAll() },
  'GET /api/plans.csv': { statuses: forAll() },
  'GET /api/plans.ndjson': { statuses: forAll() },
  'POST /api/plans': {
    statuses: adminOnly(201),
    body: () => ({ name: newName('plan'), groups: ['default'], days: 30, price: '20' }),
  },
  'GET /api/plans/use': { statuses: adminOnly() },
  'GET /api/plans/{id}': { statuses: forAll(), make: aPlan },
  'PATCH /api/plans/{id}': { statuses: adminOnly(), make: aPlan, body: { days: 31 } },
  'DELETE /api/plans/{id}': { statuses: adminOnly(204), make: aPlan },
  'GET /api/announcements': { statuses: ownOnly() },
  'GET /api/public/announcements': {
    statuses: { anonymous: 200, other: 200, owner: 200, admin: 200, adminToken: 200 },
  },
  'GET /api/public/models': { statuses: nothingThere() },
  'GET /api/public/status': { statuses: nothingThere() },
  'POST /api/public/key-check': { statuses: nothingThere(), body: { key: 'sk-tg-unknown' } },
  'POST /api/announcements': { statuses: adminOnly(201), body: ANNOUNCED },
  'PATCH /api/announcements/{id}': { statuses: adminOnly(), make: anAnnouncement, body: { level: 'critical' } },
  'DELETE /api/announcements/{id}': { statuses: adminOnly(204), make: anAnnouncement },
  'POST /api/announcements/{id}/dismiss': { statuses: ownOnly(204), make: anAnnouncement },
  'GET /api/subscriptions': { statuses: ownOnly() },
  'GET /api/subscriptions.csv': { statuses: ownOnly() },
  'GET /api/subscriptions.ndjson': { statuses: ownOnly() },
  'POST /api/subscriptions/{id}/renewal': {
    statuses: ofOwner(),
    make: aSubscription,
    body: { up_to: '20' },
  },
  'POST /api/subscriptions/{id}/renew': { statuses: adminOnly(), make: aSubscription },
  'POST /api/subscriptions/{id}/extend': {
    statuses: adminOnly(),
    make: aSubscription,
    body: { days: 3, reason: 'outage' },
  },
  'POST /api/subscriptions/{id}/cancel': { statuses: adminOnly(), make: aSubscription },
  'POST /api/redeem': {
    statuses: ownOnly(),
    make: aRedeemCode,
    body: (made: Readonly<Record<string, string>>) => ({ code: made['code'] }),
  },
  'GET /api/redeem-codes': { statuses: adminOnly() },
  'GET /api/redeem-codes.csv': { statuses: adminOnly() },
  'GET /api/redeem-codes.ndjson': { statuses: adminOnly() },
  'GET /api/redeem-codes/batches': { statuses: adminOnly() },
  'POST /api/redeem-codes': { statuses: adminOnly(201), body: { amount: '1' } },
  'DELETE /api/redeem-codes/{id}': { statuses: adminOnly(204), make: aRedeemCode },
  'GET /api/alerts': { statuses: ownOnly() },
  'POST /api/configuration/export': { statuses: adminOnly() },
  'POST /api/alerts/test': { statuses: { ...adminOnly(), adminToken: 422 } },
  'POST /api/alerts/preview': { statuses: adminOnly(), body: { template: { text: '{{title}}' } } },
  'GET /api/accounts.csv': { statuses: adminOnly() },
  'GET /api/accounts.ndjson': { statuses: adminOnly() },
  'GET /api/accounts': { statuses: adminOnly() },
  'POST /api/accounts': { statuses: adminOnly(201), body: () => ({ email: `${newName('walked')}@example.test` }) },
  'GET /api/accounts/{id}': { statuses: adminOnly(), make: anAccount },
  'GET /api/accounts/{id}/limits': { statuses: adminOnly(), make: anAccount },
  'PATCH /api/accounts/{id}': { statuses: adminOnly(), make: anAccount, body: { status: 'disabled' } },
  'POST /api/accounts/{id}/reset-link': { statuses: adminOnly(201), make: anAccount },
  // The admin token has no session that a grant could be for.
  'POST /api/accounts/{id}/see-as': {
    statuses: { ...adminOnly(201), adminToken: 403 },
    make: anAccount,
    body: { reason: 'walked' },
  },
  'DELETE /api/accounts/{id}/see-as': { statuses: { ...adminOnly(204), adminToken: 403 }, make: anAccount },
  'POST /api/accounts/{id}/close': { statuses: adminOnly(), make: anAccount },
  'GET /api/accounts/{id}/sign-in': { statuses: adminOnly(), make: anAccount },
  'DELETE /api/accounts/{id}/sessions/{session}': { statuses: adminOnly(204), make: anAccountWithSession },
  'DELETE /api/accounts/{id}/sessions': { statuses: adminOnly(204), make: anAccount },
  'GET /api/me/visits': { statuses: ownOnly() },
  'GET /api/accounts/{id}/ledger': { statuses: adminOnly(), make: anAccount },
  'POST /api/accounts/{id}/ledger': {
    statuses: adminOnly(201),
    make: anAccount,
    body: { amount: '1', reason: 'walked' },
  },
  'GET /api/accounts/{id}/subscriptions': { statuses: adminOnly(), make: anAccount },
  'POST /api/accounts/{id}/subscriptions': {
    statuses: adminOnly(201),
    make: async (making) => ({ ...(await anAccount(making)), plan: (await aPlan(making))['name'] ?? '' }),
    body: (made: Readonly<Record<string, string>>) => ({ plan: made['plan'] }),
  },
  'POST /api/invitations': { statuses: adminOnly(201), body: {} },
  'POST /api/invitations/batch': { statuses: adminOnly(201), body: { emails: ['invited@example.test'] } },
}

/** An account with a session, so that there is one to end. */
async function anAccountWithSession({ control }: Making): Promise<Readonly<Record<string, string>>> {
  const { account } = await control.account({ via: 'session' })
  const where = [{ field: 'accountId', is: '=', value: account.id }] as const
  const [session] = await control.store.signInRecords.select('session', { where, limit: 1 })
  return { id: account.id, session: String(session?.['id']) }
}

let names = 0

function newName(what: string): string {
  return `${what}-${++names}`
}

type Made = Readonly<Record<string, string>>

async function makeAt({ admin }: Making, path: string, body: object): Promise<Made> {
  const answer = await admin.ask('POST', path, body)
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer.body as Made
}

function anAnnouncement(making: Making): Promise<Made> {
  return makeAt(making, '/api/announcements', ANNOUNCED)
}

function aGroup(making: Making): Promise<Made> {
  return makeAt(making, '/api/groups', { name: newName('group') })
}

async function aGroupWithAKey(making: Making): Promise<Made> {
  const name = newName('group')
  const made = await makeAt(making, '/api/groups', { name })
  const { status, text } = await making.owner.ask('POST', '/api/keys', { name: 'walked', group: name })
  if (status !== 201) throw new Error(text)
  return made
}

function aModel(making: Making): Promise<Made> {
  return makeAt(making, '/api/models', { name: newName('model'), price: { input: '1', output: '2' } })
}

/** Something that needs an admin: in an empty place, a model without a target. */
async function anItem(making: Making): Promise<Made> {
  for (const mayMake of [true, false]) {
    const { body } = await making.admin.ask('GET', '/api/attention')
    const [found] = [...body.data, ...body.snoozed] as readonly { readonly id: string }[]
    if (found !== undefined) return { item: found.id }
    if (mayMake) await aModel(making)
  }
  throw new Error('a model without a target needs no admin')
}

async function aSnoozedItem(making: Making): Promise<Made> {
  const made = await anItem(making)
  await making.admin.ask('POST', '/api/attention/snooze', { items: [made['item']], hours: 1, reason: 'It is known' })
  return made
}

function anUpstream(making: Making): Promise<Made> {
  const name = newName('upstream')
  return makeAt(making, '/api/upstreams', { name, protocol: 'openai', base_url: 'https://api.example.test/v1' })
}

async function aCredential(making: Making): Promise<Made> {
  const credentials = [{ name: 'main', secret: 'a-secret-of-a-provider' }]
  const fields = { name: newName('upstream'), protocol: 'openai', base_url: 'https://api.example.test/v1', credentials }
  const { id = '' } = await makeAt(making, '/api/upstreams', fields)
  return { id, name: 'main' }
}

function aPlan(making: Making): Promise<Made> {
  return makeAt(making, '/api/plans', { name: newName('plan'), groups: ['default'], days: 30, price: '20' })
}

function anAccount(making: Making): Promise<Made> {
  return makeAt(making, '/api/accounts', { email: `${newName('walked')}@example.test` })
}

async function aSubscription(making: Making): Promise<Made> {
  const plan = await aPlan(making)
  return makeAt(making, `/api/accounts/${making.owner.account.id}/subscriptions`, { plan: plan['name'] })
}

async function aRedeemCode({ admin }: Making): Promise<Made> {
  const { body } = await admin.ask('POST', '/api/redeem-codes', { amount: '1' })
  return { id: body.data[0].id, code: body.codes[0] }
}

async function aUsageRecord({ control, owner }: Making): Promise<Made> {
  const id = newId('req', control.clock.now())
  await control.store.settlements.settle([aSettlement(owner.account.id, 1n, { record: { id } })])
  return { id }
}
