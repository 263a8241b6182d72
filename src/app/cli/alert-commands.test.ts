import { afterEach, beforeEach, expect, test } from 'vitest'
import { ALERT_NEWS_MS } from '../../alerts/alert.ts'
import type { RecordedAlert } from '../../alerts/alert.ts'
import { ZERO_NANO_USD } from '../../core/money.ts'
import type { Store } from '../../store/store.ts'
import { type AlertReceiver, isGenuine, startAlertReceiver } from '../../../test/support/alert-receiver.ts'
import { aBudgetAlert } from '../../../test/support/budget-alert.ts'
import { type MailServerUnderTest, startMailServer } from '../../../test/support/mail-server.ts'
import { cliHostByHand } from '../../../test/support/cli-host-by-hand.ts'
import { runCommandLine } from './command-line.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const SECRET = 'a-secret-that-receivers-know'
const account = { id: 'acc_1', email: 'ada@example.test', role: 'user', status: 'active' } as const

let receiver: AlertReceiver
let mail: MailServerUnderTest
beforeEach(async () => {
  receiver = await startAlertReceiver()
  mail = await startMailServer()
})
afterEach(() => Promise.all([receiver.close(), mail.close()]))

async function run(args: readonly string[], { environment = {}, alerts = [] as readonly RecordedAlert[] } = {}) {
  // Only what these commands may ask for; anything else fails the test.
  const store = {
    accounts: { findByEmail: async (email: string) => (email === account.email ? account : null) },
    alerts: { list: async (limit: number) => alerts.slice(0, limit) },
    close: async () => {},
  } as unknown as Store
  const { host, printed, remarked } = cliHostByHand({
    environment: { DATABASE_URL: 'postgres://db/tollgate', TOLLGATE_SECRET: SECRET.repeat(2), ...environment },
    openStore: async () => store,
    nowMs: () => NOON,
    randomBytes: (count) => Buffer.alloc(count, 7),
  })
  const code = await runCommandLine(args, host)
  return { code, printed: printed.join(''), remarked: remarked.join('') }
}

const webhook = () => ({ TOLLGATE_ALERT_WEBHOOK_URL: receiver.url, TOLLGATE_ALERT_WEBHOOK_SECRET: SECRET })
const smtp = () => ({ TOLLGATE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`, TOLLGATE_MAIL_FROM: 'alerts@example.test' })
const trial = ['alert', 'test', '--account', 'ada@example.test']

test('a test goes out on every way, and says that it is one', async () => {
  const { code, printed } = await run(trial, { environment: { ...webhook(), ...smtp() } })
  expect(printed).toBe('webhook: delivered\nmail: delivered\n')
  expect(code).toBe(0)
  const [received] = receiver.received
  expect(received !== undefined && isGenuine(received, { key: Buffer.from(SECRET), nowMs: NOON })).toBe(true)
  expect(JSON.parse(received?.body ?? '')).toEqual({
    id: 'test_07070707070707070707',
    type: 'alert.test',
    created_at: '2026-11-21T12:00:00.000Z',
    account: { id: 'acc_1', email: 'ada@example.test' },
    subject: { kind: 'account', id: 'acc_1', name: null },
    percent: null,
    limit: '0',
    used: '0',
    remaining: '0',
    window: null,
    resets_at: null,
    ends_at: null,
  })
  expect(mail.mails[0]).toMatchObject({ to: ['ada@example.test'] })
  expect(mail.mails[0]?.text).toContain('Subject: Tollgate test alert')
})

test('what failed is said so, without what is secret, and ends with 1', async () => {
  receiver.answer((response) => response.writeHead(401).end('who are you'))
  mail.reply('RCPT TO', '550 no ada here')
  const { code, printed, remarked } = await run(trial, { environment: { ...webhook(), ...smtp() } })
  expect(printed).toBe('webhook: failed, HTTP 401\nmail: failed, the mail server refuses the recipient (SMTP 550)\n')
  expect(remarked).toBe('')
  expect(code).toBe(1)
})

test.for([
  [trial, 'Alerts go nowhere: set TOLLGATE_ALERT_WEBHOOK_URL'],
  [['alert', 'list', '--limit', '0'], '--limit is "0", but it must be from 1 to 1000.'],
] as const)('%j is answered with one sentence', async ([args, sentence]) => {
  const { remarked, printed } = await run(args)
  expect(remarked).toContain(sentence)
  expect(printed).toBe('')
})

test('an account that is not there gets no test', async () => {
  const { code, remarked } = await run(['alert', 'test', '--account', 'eve@example.test'], { environment: webhook() })
  expect(remarked).toContain('There is no account eve@example.test')
  expect(code).toBe(1)
  expect(receiver.received).toEqual([])
})

const delivered = { way: 'mail', tries: 1, nextTryAt: null, deliveredAt: NOON, failure: null } as const
const failing = { way: 'webhook', tries: 2, nextTryAt: NOON + 9, deliveredAt: null, failure: 'HTTP 503' } as const

const alerts: readonly RecordedAlert[] = [
  { alert: aBudgetAlert(), deliveries: [delivered, failing] },
  { alert: aBudgetAlert({ createdAt: NOON - ALERT_NEWS_MS }), deliveries: [failing] },
  { alert: aBudgetAlert({ kind: 'low_balance', subjectName: '', percent: null, resetsAt: null }), deliveries: [] },
  { alert: aBudgetAlert({ kind: 'subscription', subjectName: 'pro', percent: 100, window: '5h' }), deliveries: [] },
]

test('the list says what became of each', async () => {
  const { printed } = await run(['alert', 'list'], { alerts })
  const lines = printed.trimEnd().split('\n')
  expect(lines[1]).toMatch(
    /^2026-11-21T12:00:00.005Z +ada@example.test +key laptop +4.000000001 +5 +80% +mail delivered; webhook waiting \(HTTP 503\)$/,
  )
  expect(lines[2]).toMatch(/webhook given up \(HTTP 503\)$/)
  expect(lines[3]).toMatch(/account +4.000000001 +5 +low balance +none$/)
  expect(lines[4]).toMatch(/subscription pro \(5h\) +4.000000001 +5 +used up, too little left +none$/)
})

const none = { percent: null, limit: ZERO_NANO_USD, used: ZERO_NANO_USD, resetsAt: null } as const

test.for([
  [{ kind: 'credential_held', subjectName: 'main/spare' }, 'the provider rejects the credential "main/spare"'],
  [{ kind: 'backup_old', subjectName: '' }, 'the newest backup is old or missing'],
  [{ kind: 'key_ending', subjectName: 'laptop' }, 'Your API key "laptop" expires soon'],
] as const)('an alert without amounts (%j) is listed with what it says', async ([about, says]) => {
  const { printed } = await run(['alert', 'list'], {
    alerts: [{ alert: aBudgetAlert({ ...about, ...none }), deliveries: [] }],
  })
  expect(printed.trimEnd().split('\n')[1]).toMatch(new RegExp(`  – +– +${says} +none$`))
  expect(printed).not.toContain('low balance')
})

test('as JSON each alert has the form of the webhook, with its deliveries', async () => {
  const { printed } = await run(['alert', 'list', '--json', '--limit', '2'], { alerts })
  const rows = JSON.parse(printed)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({ type: 'budget.threshold', percent: 80, remaining: '0.999999999' })
  expect(rows[0].deliveries).toEqual([
    {
      way: 'mail',
      status: 'delivered',
      tries: 1,
      next_try_at: null,
      delivered_at: '2026-11-21T12:00:00.000Z',
      failure: null,
    },
    {
      way: 'webhook',
      status: 'waiting',
      tries: 2,
      next_try_at: '2026-11-21T12:00:00.009Z',
      delivered_at: null,
      failure: 'HTTP 503',
    },
  ])
  expect(rows[1].deliveries).toMatchObject([{ status: 'given_up', next_try_at: null }])
})
