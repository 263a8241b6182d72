import { setTimeout as pause } from 'node:timers/promises'
import type { FakeStripe } from '../../test/support/fake-stripe.ts'
import type { MannerlyProvider } from '../../test/support/oidc-manners.ts'
import { makeCatalogue, REFUSED_MODEL, RULED_MODEL, SILENT_MODEL } from './release-catalogue.ts'
import { makePeople, makeWaysIn, signIn } from './release-people.ts'
import {
  OLD_SECRET,
  DEMO_MODEL,
  GOES_ON_MS,
  HOLDER_EMAIL,
  LAPTOP_SECRET,
  RELEASE_ADMIN_TOKEN,
  SMALL_SECRET,
  SOLD_MODEL,
  TEAM_SECRET,
} from './release-plan.ts'
import { Caller, type SteppedGateway } from './stepped-gateway.ts'

/** A node that is silent for longer counts as frozen. */
const RUNS_FOR_MS = 10_000
/** Upstreams with a credential that can be used. */
const UPSTREAMS_THAT_LIST = 2
const LOOK_MS = 100
const PATIENCE_MS = 30_000

interface Status {
  readonly model_list: object | null
}

/** Everything that people do until the upkeep: the catalogue, accounts, keys, calls and money. */
export async function liveFirstWeeks(gateway: SteppedGateway, upstreamUrl: string): Promise<void> {
  const admin = new Caller(gateway, RELEASE_ADMIN_TOKEN)
  await makeCatalogue(admin, { upstreamUrl, nowMs: gateway.nowMs })
  const accountId = await makePeople(admin)
  await admin.ask('POST', `/api/accounts/${accountId}/subscriptions`, { plan: 'Pro' })
  await makeKeys(admin, accountId)
  const { data: accounts } = await admin.ask<{ data: readonly { id: string }[] }>('GET', '/api/accounts?role=admin')
  const adminId = accounts[0]?.id ?? ''
  await callModels(gateway)
  // Of the upstream that refuses.
  await areDelivered(admin, adminId)
  await gateway.moveTo(GOES_ON_MS)
  await callModels(gateway)
  await areDelivered(admin, adminId)
  await useUp(gateway, { admin, accountId })
  await takeMoney(gateway, admin)
  await announce(gateway, admin)
}

/** The last hours: ways to sign in, payments, a capture, and a stream that is running when the process is killed. */
export async function liveLastDay(
  gateway: SteppedGateway,
  around: { readonly provider: MannerlyProvider; readonly stripe: FakeStripe },
): Promise<void> {
  const admin = new Caller(gateway, RELEASE_ADMIN_TOKEN)
  await admin.ask('PATCH', '/api/settings', { check_models: true })
  await until(async () => {
    const { data } = await admin.look<{ data: readonly Status[] }>('/api/upstreams/status')
    return data.filter(({ model_list }) => model_list !== null).length === UPSTREAMS_THAT_LIST
  })
  await makeWaysIn(gateway, around)
  await takePayment(gateway, { admin, stripe: around.stripe })
  await capture(gateway, admin)
}

/** Resolves when a stream has begun of which the database knows, and another call was answered just now. */
export async function leaveRunning(
  gateway: SteppedGateway,
  { isNoted, freeze }: { isNoted(): Promise<boolean>; freeze(): Promise<void> },
): Promise<void> {
  const body = { model: SILENT_MODEL, stream: true, messages: [{ role: 'user', content: 'Tell me more.' }] }
  const response = await gateway.open('/v1/chat/completions', { secret: LAPTOP_SECRET, body })
  if (response.status !== 200) throw new Error(`the stream returned ${response.status}: ${await response.text()}`)
  // The end of the process breaks it off.
  void response.arrayBuffer().catch(() => {})
  // Requests that are over within moments are never written down as running.
  await gateway.moveTo(gateway.nowMs + RUNS_FOR_MS)
  await until(isNoted)
  await freeze()
  const last = { model: DEMO_MODEL, messages: [{ role: 'user', content: 'One more thing.' }] }
  const headers = { authorization: `Bearer ${LAPTOP_SECRET}` }
  await gateway.send({ method: 'POST', path: '/v1/chat/completions', body: last, headers })
}

async function makeKeys(admin: Caller, accountId: string): Promise<void> {
  const add = async (body: object) => {
    const { key } = await admin.ask<{ key: { id: string } }>('POST', '/api/keys', { account_id: accountId, ...body })
    return key.id
  }
  await add({ name: 'laptop', group: 'default', custom_key: LAPTOP_SECRET })
  await add({
    name: 'team',
    group: 'pro',
    fallback_groups: ['default'],
    custom_key: TEAM_SECRET,
    tags: ['team a'],
    quota_limit: '10',
    quota_reset: 'monthly',
    rate_limit: {
      concurrency: 5,
      requests_per_minute: 60,
      tokens_per_minute: 2_000_000,
      spend: [{ window: '5h', usd: '5' }],
    },
    allowed_models: [SOLD_MODEL, DEMO_MODEL, RULED_MODEL],
    allowed_ips: ['127.0.0.0/8', '::1/128'],
    response_cache: 'off',
  })
  const ci = await add({ name: 'ci', group: 'saver', quota_limit: '0.05', quota_reset: 'never', tags: ['ci'] })
  // The first of its secrets is retired, the second goes on for a while beside the last.
  await admin.ask('POST', `/api/keys/${ci}/rotate`, {})
  await admin.ask('POST', `/api/keys/${ci}/rotate`, { overlap_seconds: 2_592_000 })
  await add({ name: 'small', group: 'default', custom_key: SMALL_SECRET, quota_limit: '0.0012' })
  const old = await add({ name: 'old', group: 'default', custom_key: OLD_SECRET })
  await admin.ask('PATCH', `/api/keys/${old}`, { status: 'disabled' })
}

/** One call of each kind, and some that fail. */
async function callModels(gateway: SteppedGateway): Promise<void> {
  const messages = [{ role: 'user', content: 'Say hello in one word.' }]
  const call = (secret: string, body: object, { path = '/v1/chat/completions', expected = 200 } = {}) => {
    const headers = { authorization: `Bearer ${secret}`, 'user-agent': 'OpenAI/JS 7.55.0' }
    return gateway.send({ method: 'POST', path, body, expected, headers })
  }
  await call(LAPTOP_SECRET, { model: DEMO_MODEL, messages })
  await call(LAPTOP_SECRET, { model: SOLD_MODEL, messages })
  await call(TEAM_SECRET, { model: SOLD_MODEL, messages, stream: true })
  await call(TEAM_SECRET, { model: RULED_MODEL, messages })
  const stored = { model: SOLD_MODEL, input: 'Remember this.', store: true }
  await call(LAPTOP_SECRET, stored, { path: '/v1/responses' })
  await call(TEAM_SECRET, { model: DEMO_MODEL, messages, max_tokens: 50 }, { path: '/v1/messages' })
  await call(LAPTOP_SECRET, { model: 'no-such-model', messages }, { expected: 404 })
  await call(LAPTOP_SECRET, { model: REFUSED_MODEL, messages }, { expected: 503 })
  await call(OLD_SECRET, { model: DEMO_MODEL, messages }, { expected: 401 })
  await call('sk-not-a-key-of-this-gateway', { model: DEMO_MODEL, messages }, { expected: 401 })
}

/** A quota that a call nearly uses up, and the alert of it. */
async function useUp(
  gateway: SteppedGateway,
  { admin, accountId }: { admin: Caller; accountId: string },
): Promise<void> {
  const body = { model: RULED_MODEL, messages: [{ role: 'user', content: 'Say hello in one word.' }] }
  const headers = { authorization: `Bearer ${SMALL_SECRET}` }
  for (const expected of [200, 402]) {
    await gateway.send({ method: 'POST', path: '/v1/chat/completions', body, headers, expected })
  }
  await areDelivered(admin, accountId)
}

/** Resolves when an account has alerts and all of them were posted. */
async function areDelivered(admin: Caller, accountId: string): Promise<void> {
  type Alerts = { data: readonly { deliveries: readonly { delivered_at: string | null }[] }[] }
  await until(async () => {
    const { data } = await admin.look<Alerts>(`/api/alerts?account_id=${accountId}`)
    return data.length > 0 && data.every(({ deliveries }) => deliveries.some((each) => each.delivered_at !== null))
  })
}

async function takeMoney(gateway: SteppedGateway, admin: Caller): Promise<void> {
  const { codes } = await admin.ask<{ codes: string[] }>('POST', '/api/redeem-codes', {
    amount: '25',
    count: 2,
    note: 'fair',
  })
  await admin.ask('POST', '/api/redeem-codes', { plan: 'Night shift', note: 'press' })
  const holder = await signIn(gateway, HOLDER_EMAIL)
  await holder.ask('POST', '/api/redeem', { code: codes[0] })
  const key = { name: 'made once', group: 'default' }
  const headers = { 'idempotency-key': 'made-once' }
  for (let time = 0; time < 2; time++) await holder.send({ method: 'POST', path: '/api/keys', body: key, headers })
  const { data } = await holder.ask<{ data: readonly { id: string; name: string }[] }>('GET', '/api/keys')
  const team = data.find(({ name }) => name === 'team')?.id
  await admin.ask('POST', `/api/keys/${team}/raise-quota`, {
    limit: '20',
    ends_at: new Date(gateway.nowMs + 30 * 86_400_000).toISOString(),
  })
}

async function announce(gateway: SteppedGateway, admin: Caller): Promise<void> {
  const { id } = await admin.ask<{ id: string }>('POST', '/api/announcements', {
    title: { en: 'News', 'zh-CN': '新消息' },
    text: { en: 'A new model.', 'zh-CN': '新增一个模型。' },
  })
  await admin.ask('POST', '/api/announcements', {
    kind: 'maintenance',
    level: 'warning',
    title: { en: 'Maintenance', 'zh-CN': '维护' },
    audience: { to: 'groups', groups: ['pro'] },
    starts_at: new Date(gateway.nowMs + 90 * 86_400_000).toISOString(),
  })
  await (await signIn(gateway, HOLDER_EMAIL)).ask('POST', `/api/announcements/${id}/dismiss`)
}

/** A top-up by Stripe, a part of which is refunded. */
async function takePayment(
  gateway: SteppedGateway,
  { admin, stripe }: { admin: Caller; stripe: FakeStripe },
): Promise<void> {
  const { secretKey: secret_key, webhookSecret: webhook_secret } = stripe
  await admin.ask('PATCH', '/api/payment-settings', {
    amounts: ['10', '20'],
    stripe: { on: true, currency: 'EUR', per_usd: '0.95', invoices: true, secret_key, webhook_secret },
  })
  const holder = await signIn(gateway, HOLDER_EMAIL)
  const order = await holder.ask<{ id: string }>('POST', '/api/orders', { provider: 'stripe', amount: '20' })
  const paid = stripe.pay(stripe.session())
  const event = stripe.event('checkout.session.completed', paid, { at: gateway.nowMs })
  await gateway.send({ method: 'POST', path: '/api/payments/stripe', ...event })
  await admin.ask('POST', `/api/orders/${order.id}/refund`, { amount: '9.50', reason: 'asked' })
  // Never paid.
  await holder.ask('POST', '/api/orders', { provider: 'stripe', amount: '10' })
}

async function capture(gateway: SteppedGateway, admin: Caller): Promise<void> {
  type Keys = { data: readonly { id: string; name: string }[] }
  const { data } = await admin.ask<Keys>('GET', '/api/keys?search=laptop')
  const laptop = data.find(({ name }) => name === 'laptop')?.id
  await admin.ask('POST', `/api/keys/${laptop}/capture`)
  const body = { model: DEMO_MODEL, messages: [{ role: 'user', content: 'Keep this.' }] }
  const headers = { authorization: `Bearer ${LAPTOP_SECRET}` }
  await gateway.send({ method: 'POST', path: '/v1/chat/completions', body, headers })
  await until(async () => {
    const { data: kept } = await admin.look<{ data: readonly object[] }>(`/api/keys/${laptop}/capture`)
    return kept.length > 0
  })
}

/** Looks at real moments, for what a gateway does by itself. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
    if (await isSo()) return
    await pause(LOOK_MS)
  }
  throw new Error('what the gateway was to do by itself did not happen')
}
