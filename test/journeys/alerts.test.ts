import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { newId } from '../../src/core/ids.ts'
import { formatUsd, nanoUsd, parseUsd } from '../../src/core/money.ts'
import { type AlertReceiver, isGenuine, startAlertReceiver } from '../support/alert-receiver.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { type MailServerUnderTest, startMailServer } from '../support/mail-server.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const SECRET = 'a-secret-that-receivers-know'
/** A model that writes far more than it is asked for, so that what is held is never more than a request costs. */
const MODEL = 'fake/echo?input=20&output=100'

let gateway: GatewayUnderTest
let receiver: AlertReceiver
let mail: MailServerUnderTest
/** The cost of one call, in nano-USD. */
let cost: bigint

beforeAll(async () => {
  receiver = await startAlertReceiver()
  mail = await startMailServer()
  gateway = await gatewayUnderTest({
    environment: {
      TOLLGATE_ALERT_WEBHOOK_URL: receiver.url,
      TOLLGATE_ALERT_WEBHOOK_SECRET: SECRET,
      TOLLGATE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      TOLLGATE_MAIL_FROM: 'alerts@example.test',
    },
  })
  await gateway.model(MODEL)
  const account = await gateway.account()
  const { secret } = await gateway.key(account)
  cost = parseUsd((await call(secret)).headers.get('x-tollgate-cost') ?? '0')
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([receiver.close(), mail.close()])
})

async function call(secret: string, at = gateway): Promise<Response> {
  const response = await fetch(`${at.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, max_tokens: 1, messages: [{ role: 'user', content: 'hello there' }] }),
  })
  await response.arrayBuffer()
  return response
}

// The gateway looks every few seconds: these tests wait for it together.

/** What was posted about one account, in order. Waits until there are so many. */
async function postedAbout(account: Account, count: number) {
  const about = () => receiver.received.filter(({ body }) => JSON.parse(body).account.id === account.id)
  await vi.waitUntil(() => about().length >= count, { timeout: PATIENCE_MS })
  expect(about().every((received) => isGenuine(received, { key: Buffer.from(SECRET), nowMs: Date.now() }))).toBe(true)
  return about().map(({ body }) => JSON.parse(body))
}

async function mailsTo(account: Account, count: number) {
  const to = () => mail.mails.filter((each) => each.to.includes(account.email))
  await vi.waitUntil(() => to().length >= count, { timeout: PATIENCE_MS })
  return to()
}

test.concurrent('a key’s owner and the admin get an alert at 50, 80 and 100 % of its quota, once each', async () => {
  const account = await gateway.account()
  const limit = nanoUsd(cost * 10n)
  const { key, secret } = await gateway.key(account, { quotaLimit: limit, quotaReset: 'monthly', name: 'laptop' })
  for (let calls = 0; calls < 10; calls++) expect((await call(secret)).status).toBe(200)
  expect((await call(secret)).headers.get('x-tollgate-fault')).toBe('key_quota_exhausted')
  const alerts = await postedAbout(account, 3)
  const byPercent = alerts.toSorted((a, b) => a.percent - b.percent)
  expect(byPercent).toMatchObject(
    [50, 80, 100].map((percent) => ({
      type: 'budget.threshold',
      account: { id: account.id, email: account.email },
      subject: { kind: 'key', id: key.id, name: 'laptop' },
      percent,
      limit: formatUsd(limit),
      used: formatUsd(nanoUsd((cost * BigInt(percent)) / 10n)),
      remaining: formatUsd(nanoUsd((cost * BigInt(100 - percent)) / 10n)),
      resets_at: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00.000Z$/),
    })),
  )
  expect(new Set(alerts.map(({ id }) => id)).size).toBe(3)
  expect(await mailsTo(account, 3)).toHaveLength(3)
})

test.concurrent('a subscriber gets an alert about a window of the subscription', async () => {
  const account = await gateway.account()
  const { key, secret } = await gateway.key(account)
  const now = Date.now()
  const subscriptionId = newId('sub', now)
  await gateway.store.subscriptions.open({
    id: subscriptionId,
    accountId: account.id,
    planId: 'pln_pro',
    planName: 'pro',
    groupIds: [key.groupId],
    opensGroups: true,
    quotas: [{ window: '5h', usd: nanoUsd(cost * 2n) }],
    startsAt: now - 1,
    endsAt: now + 86_400_000,
    cancelledAt: null,
    createdAt: now,
  })
  expect((await call(secret)).status).toBe(200)
  const [alert] = await postedAbout(account, 1)
  expect(alert).toMatchObject({
    type: 'budget.threshold',
    subject: { kind: 'subscription', id: subscriptionId, name: 'pro' },
    percent: 50,
    used: formatUsd(nanoUsd(cost)),
  })
  expect(Date.parse(alert.resets_at) - now).toBeGreaterThan(4 * 3_600_000)
})

test.concurrent('a balance that falls below the line gives one alert', async () => {
  const account = await gateway.account({ balance: formatUsd(nanoUsd(parseUsd('1') + cost)) })
  const { secret } = await gateway.key(account)
  for (let calls = 0; calls < 3; calls++) expect((await call(secret)).status).toBe(200)
  const alerts = await postedAbout(account, 1)
  expect(alerts).toMatchObject([
    { type: 'balance.low', subject: { kind: 'account', id: account.id, name: null }, percent: null, resets_at: null },
  ])
  expect(alerts[0].remaining).toBe(formatUsd(nanoUsd(parseUsd('1') - cost)))
  const mails = await mailsTo(account, 1)
  expect(mails).toHaveLength(1)
})

test.concurrent('a drain leaves no alert half noted: what is cut off is due again', async () => {
  const silent = await startAlertReceiver()
  silent.answer(() => {})
  const stopping = await gatewayUnderTest({
    environment: { TOLLGATE_ALERT_WEBHOOK_URL: silent.url, TOLLGATE_ALERT_WEBHOOK_SECRET: SECRET },
  })
  await stopping.model(MODEL)
  const { secret } = await stopping.key(await stopping.account({ balance: '1' }))
  await call(secret, stopping)
  await silent.arrived(1)
  await stopping.running.drain()
  const [listed] = await stopping.store.alerts.list(1)
  expect(listed?.deliveries).toMatchObject([{ way: 'webhook', tries: 1, failure: 'ABORT_ERR', deliveredAt: null }])
  expect(listed?.deliveries[0]?.nextTryAt).toBeLessThanOrEqual(Date.now())
  await stopping.close()
  await silent.close()
})
