import { newId } from '../../src/core/ids.ts'
import type { Expectation, Making } from './control-expectation.ts'
import { adminOnly, allAlike, ofOwner, ownOnly, type Statuses } from './control-statuses.ts'
import { aSettlement } from './store-fixtures.ts'

/** All accounts see it; the details need rights. */
const forAll = (): Statuses => allAlike()

const ANNOUNCED = { title: { en: 'News', 'zh-CN': '新消息' } }

/** The routes of the catalogue, of usage and of the books. */
export const EXPECTATIONS_OF_CATALOGUE_AND_BOOKS: Readonly<Record<string, Expectation>> = {
  'GET /api/groups': { statuses: forAll() },
  'POST /api/groups': { statuses: adminOnly(201), body: () => ({ name: newName('group') }) },
  'GET /api/groups/{id}': { statuses: forAll(), make: aGroup },
  'PATCH /api/groups/{id}': { statuses: adminOnly(), make: aGroup, body: { multiplier: '2' } },
  'DELETE /api/groups/{id}': { statuses: adminOnly(204), make: aGroup },
  'GET /api/models': { statuses: forAll() },
  'GET /api/models/traffic': { statuses: ownOnly() },
  'POST /api/models': { statuses: adminOnly(201), body: () => ({ name: newName('model') }) },
  // It has no target, so it cannot be used.
  'GET /api/models/{id}': { statuses: { ...adminOnly(), other: 404, owner: 404 }, make: aModel },
  'PATCH /api/models/{id}': { statuses: adminOnly(), make: aModel, body: { context_tokens: 1000 } },
  'DELETE /api/models/{id}': { statuses: adminOnly(204), make: aModel },
  'GET /api/upstreams': { statuses: adminOnly() },
  'POST /api/upstreams': {
    statuses: adminOnly(201),
    body: () => ({ name: newName('upstream'), protocol: 'openai', base_url: 'https://api.example.test/v1' }),
  },
  'GET /api/upstreams/status': { statuses: adminOnly() },
  'POST /api/upstreams/probe': { statuses: adminOnly(), body: { base_url: 'https://api.example.test/v1' } },
  'GET /api/upstreams/{id}': { statuses: adminOnly(), make: anUpstream },
  'PATCH /api/upstreams/{id}': { statuses: adminOnly(), make: anUpstream, body: { timeout_ms: 1000 } },
  'DELETE /api/upstreams/{id}': { statuses: adminOnly(204), make: anUpstream },
  'GET /api/upstreams/{id}/credentials': { statuses: adminOnly(), make: anUpstream },
  // It has none.
  'PATCH /api/upstreams/{id}/credentials/{name}': {
    statuses: adminOnly(404),
    make: anUpstream,
    body: { disabled: true },
  },
  // No upstream is tried here: for admins it is only known that there is none of this id.
  'POST /api/upstreams/{id}/test': { statuses: adminOnly(404) },
  'POST /api/upstreams/{id}/test-request': { statuses: adminOnly(404), body: { model: 'any' } },
  'GET /api/usage': { statuses: ownOnly() },
  'GET /api/usage/summary': { statuses: ownOnly() },
  'GET /api/usage/keys': { statuses: ownOnly() },
  'GET /api/usage/keys.csv': { statuses: ownOnly() },
  'GET /api/usage/first-steps': { statuses: ownOnly(), query: () => 'since=2026-11-21T00:00:00Z' },
  'GET /api/usage.csv': { statuses: ownOnly() },
  'GET /api/usage/{id}': { statuses: ofOwner(), make: aUsageRecord },
  'GET /api/margins': { statuses: adminOnly() },
  'GET /api/margins.csv': { statuses: adminOnly() },
  'GET /api/cached-input': { statuses: adminOnly() },
  'GET /api/cached-input.csv': { statuses: adminOnly() },
  'GET /api/attention': { statuses: adminOnly() },
  'GET /api/ledger': { statuses: ownOnly() },
  'GET /api/ledger/days': { statuses: ownOnly() },
  'GET /api/plans': { statuses: forAll() },
  'POST /api/plans': {
    statuses: adminOnly(201),
    body: () => ({ name: newName('plan'), groups: ['default'], days: 30, price: '20' }),
  },
  'GET /api/plans/{id}': { statuses: forAll(), make: aPlan },
  'PATCH /api/plans/{id}': { statuses: adminOnly(), make: aPlan, body: { days: 31 } },
  'DELETE /api/plans/{id}': { statuses: adminOnly(204), make: aPlan },
  'GET /api/announcements': { statuses: ownOnly() },
  'POST /api/announcements': { statuses: adminOnly(201), body: ANNOUNCED },
  'PATCH /api/announcements/{id}': { statuses: adminOnly(), make: anAnnouncement, body: { level: 'critical' } },
  'DELETE /api/announcements/{id}': { statuses: adminOnly(204), make: anAnnouncement },
  'POST /api/announcements/{id}/dismiss': { statuses: ownOnly(204), make: anAnnouncement },
  'GET /api/subscriptions': { statuses: ownOnly() },
  'POST /api/subscriptions/{id}/cancel': { statuses: adminOnly(), make: aSubscription },
  'POST /api/redeem': {
    statuses: ownOnly(),
    make: aRedeemCode,
    body: (made: Readonly<Record<string, string>>) => ({ code: made['code'] }),
  },
  'GET /api/redeem-codes': { statuses: adminOnly() },
  'POST /api/redeem-codes': { statuses: adminOnly(201), body: { amount: '1' } },
  'DELETE /api/redeem-codes/{id}': { statuses: adminOnly(204), make: aRedeemCode },
  'GET /api/alerts': { statuses: ownOnly() },
  'POST /api/alerts/preview': { statuses: adminOnly(), body: { template: { text: '{{title}}' } } },
  'GET /api/accounts': { statuses: adminOnly() },
  'POST /api/accounts': { statuses: adminOnly(201), body: () => ({ email: `${newName('walked')}@example.test` }) },
  'GET /api/accounts/{id}': { statuses: adminOnly(), make: anAccount },
  'GET /api/accounts/{id}/limits': { statuses: adminOnly(), make: anAccount },
  'PATCH /api/accounts/{id}': { statuses: adminOnly(), make: anAccount, body: { status: 'disabled' } },
  'POST /api/accounts/{id}/reset-link': { statuses: adminOnly(201), make: anAccount },
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

function aModel(making: Making): Promise<Made> {
  return makeAt(making, '/api/models', { name: newName('model'), price: { input: '1', output: '2' } })
}

function anUpstream(making: Making): Promise<Made> {
  const name = newName('upstream')
  return makeAt(making, '/api/upstreams', { name, protocol: 'openai', base_url: 'https://api.example.test/v1' })
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
