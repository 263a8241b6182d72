import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/durations.ts'
import type { AccountView } from '../../src/contract/accounts.ts'
import type { ApiKeyView, KeysPage, KeyWithSecret } from '../../src/contract/keys.ts'
import type { GroupView } from '../../src/contract/groups.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { callModel, type SampleApi, signedInApi } from './sample-api.ts'
import { addRareModels, connectUpstreams } from './sample-catalog.ts'
import { SAMPLE_EMAIL, SAMPLE_PASSWORD } from './sample-plan.ts'
import type { SampleProcess } from './sample-process.ts'

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1'

/** When a gateway has to be started that `liveThrough` is to move on. */
export function lifeBeginsMs(nowMs: number): number {
  return nowMs - 60 * DAY_MS
}

/** The time from which calls were made through the gateway itself. */
export function callsBeginMs(nowMs: number): number {
  return nowMs - 20 * MINUTE_MS
}

export interface Life {
  readonly gateway: SampleProcess
  readonly admin: SampleApi
  readonly accountId: string
  readonly fakeUrl: string
  readonly nowMs: number
}

/**
 * What an account goes through in two months, by the API, each at its time: subscriptions, keys in every state, calls that
 * they pay for, money. Ends at `nowMs`. Resolves with the secret of the key `laptop`.
 */
export async function liveThrough(life: Life): Promise<string> {
  const { gateway, admin, accountId, nowMs } = life
  const at = (agoMs: number) => gateway.moveTo(nowMs - agoMs)
  const subscriptions = `/api/accounts/${accountId}/subscriptions`
  await connectUpstreams(admin, life.fakeUrl)
  await addRareModels(admin)
  await admin.ask('PATCH', '/api/settings', {
    registration: 'open',
    top_up_url: 'https://pay.example.test/top-up',
    support_address: 'help@example.test',
  })
  await addGroupsAndPlans(admin)
  await admin.ask('POST', subscriptions, { plan: 'Pro' })
  await at(20 * DAY_MS)
  await addRareKeys(life)
  await at(12 * DAY_MS)
  await admin.ask('POST', subscriptions, { plan: 'Pro' })
  await admin.ask('POST', subscriptions, { plan: 'Night shift' })
  await at(8 * DAY_MS)
  const trial = await keyNamed('trial', life)
  await admin.ask('PATCH', `/api/keys/${trial.id}`, { expires_at: wireTime(nowMs - 2 * HOUR_MS) })
  await at(5 * HOUR_MS)
  const claude = await keyNamed('Claude Code', life)
  await admin.ask('POST', `/api/keys/${claude.id}/rotate`, { overlap_seconds: 24 * 3600 })
  await admin.ask('PATCH', `/api/keys/${claude.id}`, { expires_at: wireTime(nowMs + 4 * DAY_MS) })
  const phone = await signedInApi(gateway.origin, { email: SAMPLE_EMAIL, password: SAMPLE_PASSWORD, browser: PHONE })
  await phone.ask('POST', '/api/tokens', { name: 'Nightly report', expires_at: wireTime(nowMs + 30 * DAY_MS) })
  await at(25 * MINUTE_MS)
  await payIn(life)
  await at(nowMs - callsBeginMs(nowMs))
  const secret = await limitKeys(life)
  await limitAccount(life)
  await makeCalls(life, secret)
  await at(0)
  return secret
}

async function addGroupsAndPlans(admin: SampleApi): Promise<void> {
  await admin.ask('POST', '/api/groups', { name: 'research', multiplier: '2' })
  await admin.ask('POST', '/api/groups', { name: 'pro', multiplier: '1.25', open: false })
  const windows = (...quotas: (readonly [string, string])[]) => quotas.map(([window, usd]) => ({ window, usd }))
  await admin.ask('POST', '/api/plans', {
    name: 'Pro',
    groups: ['default'],
    days: 30,
    price: '20',
    quotas: windows(['5h', '1'], ['7d', '40']),
  })
  await admin.ask('POST', '/api/plans', {
    name: 'Night shift',
    groups: ['saver'],
    days: 90,
    price: '5',
    quotas: windows(['1d', '2'], ['term', '60']),
  })
}

/** Roomy, so that no call of the sample is refused. */
async function limitAccount({ admin, accountId }: Life): Promise<void> {
  const spend = [{ window: '7d', usd: '100' }]
  const limits = { concurrency: 20, requests_per_minute: 600, spend, max_keys: 50, max_key_validity_days: 365 }
  await admin.ask('PATCH', `/api/accounts/${accountId}`, { limits })
}

/** Keys that no seed has: one that was never used, one that a group was taken from. */
async function addRareKeys({ admin, accountId, nowMs }: Life): Promise<void> {
  // A large sample has more keys than an account may usually have.
  await admin.ask('PATCH', `/api/accounts/${accountId}`, { limits: { max_keys: null } })
  const add = (body: object) => admin.ask('POST', '/api/keys', { account_id: accountId, ...body })
  await add({ name: 'search index', group: 'default', allowed_models: ['gpt-5.5-nano'], allowed_ips: ['10.4.0.0/16'] })
  await add({ name: 'workshop in Lyon, first group', group: 'research', expires_at: wireTime(nowMs - 7 * DAY_MS) })
  const { data: groups } = await admin.ask<Page<GroupView>>('GET', '/api/groups')
  const research = groups.find(({ name }) => name === 'research')
  await admin.ask('PATCH', `/api/groups/${research?.id ?? ''}`, { enabled: false })
}

async function payIn({ admin, accountId, gateway }: Life): Promise<void> {
  const account = `/api/accounts/${accountId}`
  const { balance } = await admin.ask<AccountView>('GET', account)
  // The seed's grant is larger than anything that an account has.
  const ended = { amount: `-${balance}`, reason: 'Trial period ended', kind: 'adjustment' }
  await admin.ask('POST', `${account}/ledger`, ended)
  await admin.ask('POST', `${account}/ledger`, { amount: '25', reason: 'Invoice 2026-118', kind: 'credit' })
  const { codes } = await admin.ask<{ codes: string[] }>('POST', '/api/redeem-codes', { amount: '25' })
  const ada = await signedInApi(gateway.origin, { email: SAMPLE_EMAIL, password: SAMPLE_PASSWORD, browser: PHONE })
  await ada.ask('POST', '/api/redeem', { code: codes[0] })
}

/** Resolves with the secret of the key `laptop`. */
async function limitKeys(life: Life): Promise<string> {
  const change = async (name: string, body: object) =>
    life.admin.ask('PATCH', `/api/keys/${(await keyNamed(name, life)).id}`, body)
  await change('laptop', {
    tags: ['team a'],
    quota_limit: '60',
    quota_reset: 'monthly',
    rate_limit: {
      concurrency: 5,
      requests_per_minute: 60,
      tokens_per_minute: 2_000_000,
      spend: [{ window: '5h', usd: '5' }],
    },
  })
  await change('nightly report', { quota_limit: '0.25', quota_reset: 'daily', tags: ['finance'] })
  await change('build server', {
    quota_limit: '100',
    quota_reset: 'weekly',
    fallback_groups: ['saver', 'priority'],
    tags: ['team a', 'ci'],
  })
  await change('staging', { status: 'disabled' })
  const laptop = await keyNamed('laptop', life)
  const rotated = await life.admin.ask<KeyWithSecret>('POST', `/api/keys/${laptop.id}/rotate`, {})
  return rotated.secret ?? ''
}

/** Makes calls until the window of the subscription is nearly used up, and a few that are refused. */
async function makeCalls(life: Life, secret: string): Promise<void> {
  const { gateway, admin, nowMs } = life
  const models = [
    'gpt-5.5',
    'claude-sonnet-5',
    'gpt-5.5',
    'gpt-5.5-mini',
    'gpt-5.5',
    'claude-sonnet-5',
    'gpt-55',
    'gpt-5.5',
  ]
  const calls = models.map((model) => ({ secret, model }))
  const nightly = await keyNamed('nightly report', life)
  const rotated = await admin.ask<KeyWithSecret>('POST', `/api/keys/${nightly.id}/rotate`, {})
  const used = { secret: rotated.secret ?? '', model: 'gpt-5.5' }
  calls.splice(3, 0, used, used)
  for (const [index, call] of calls.entries()) {
    await gateway.moveTo(callsBeginMs(nowMs) + (index + 1) * 97_000)
    await callModel(gateway.origin, call)
  }
  const { spent } = await keyNamed('nightly report', life)
  await admin.ask('PATCH', `/api/keys/${nightly.id}`, { quota_limit: spent })
}

async function keyNamed(name: string, { admin, accountId }: Life): Promise<ApiKeyView> {
  const path = `/api/keys?account_id=${accountId}&search=${encodeURIComponent(name)}`
  const { data } = await admin.ask<KeysPage>('GET', path)
  const found = data.find((key) => key.name === name)
  if (found === undefined) throw new Error(`the sample has no key ${name}`)
  return found
}

function wireTime(ms: number): string {
  return new Date(ms).toISOString()
}
