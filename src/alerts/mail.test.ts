import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseUsd } from '../core/money.ts'
import { aBudgetAlert } from '../../test/support/budget-alert.ts'
import { type MailServerUnderTest, startMailServer } from '../../test/support/mail-server.ts'
import { MailCarrier } from './mail.ts'
import type { MailServer } from './mail-address.ts'
import { MAIL_LIMITS } from './mail-connection.ts'

const from = { name: 'Tollgate', address: 'alerts@gate.example.test' }
const never = new AbortController().signal

let server: MailServerUnderTest
beforeEach(async () => {
  server = await startMailServer()
})
afterEach(() => server.close())

function carrier(over: Partial<MailServer> & { doneMs?: number } = {}) {
  const { doneMs = MAIL_LIMITS.doneMs, ...rest } = over
  const reached = { host: '127.0.0.1', port: server.port, isSecure: false, credentials: null, ...rest }
  return new MailCarrier({ server: reached, from, limits: { ...MAIL_LIMITS, doneMs } })
}

test('the mail says what has run low, and how far', async () => {
  expect(await carrier().send(aBudgetAlert(), never)).toEqual({ kind: 'delivered' })
  const [mail] = server.mails
  expect(mail).toMatchObject({ from: from.address, to: ['ada@example.test'] })
  expect(mail?.text).toContain('From: Tollgate <alerts@gate.example.test>')
  expect(mail?.text).toContain('To: ada@example.test')
  expect(subjectOf(mail?.text)).toBe('80% of the quota of your API key "laptop" is used')
  expect(mail?.text).toContain('Auto-Submitted: auto-generated')
  const body = bodyOf(mail?.text)
  expect(body).toContain('Your API key "laptop" has used $4.000000001 of its quota of $5; $0.999999999 is left.')
  expect(body).toContain('The quota resets on 2026-11-22 00:00 UTC.')
})

test('every try has the same message id', async () => {
  const sending = carrier()
  await sending.send(aBudgetAlert(), never)
  await sending.send(aBudgetAlert(), never)
  const ids = server.mails.map(({ text }) => /^Message-ID: (.*)$/im.exec(text)?.[1])
  expect(ids).toEqual(Array(2).fill('<key.key_1.daily.1795219200000.5000000000.80@gate.example.test>'))
})

test('a name with a line break or an address in it adds no header and no recipient', async () => {
  const subjectName = 'x"\r\nBcc: eve@example.test\r\n\r\n.\r\nRCPT TO:<eve@example.test>'
  await carrier().send(aBudgetAlert({ subjectName, accountEmail: 'ada@example.test, eve@example.test' }), never)
  await carrier().send(aBudgetAlert({ subjectName }), never)
  const heads = server.mails.map(({ text }) => text.slice(0, text.indexOf('\n\n')))
  expect(heads.join('\n')).not.toMatch(/^Bcc:/im)
  expect(server.mails.at(-1)?.to).toEqual(['ada@example.test'])
  expect(server.said.filter((line) => line === 'RCPT TO:<eve@example.test>')).toEqual([])
})

test('what could not cover a request has been used up, and says what is left', async () => {
  const short = { percent: 100, window: '5h', used: parseUsd('4.9') } as const
  await carrier().send(aBudgetAlert(short), never)
  await carrier().send(aBudgetAlert({ ...short, kind: 'subscription', subjectName: 'pro', resetsAt: null }), never)
  await carrier().send(aBudgetAlert({ ...short, window: null, used: parseUsd('5') }), never)
  const [key, plan, whole] = server.mails.map(({ text }) => ({ subject: subjectOf(text), body: bodyOf(text) }))
  expect(key?.subject).toBe('The 5h quota of your API key "laptop" has been used up: $0.1 left')
  expect(key?.body).toContain('has used $4.9 of its 5h quota of $5; $0.1 is left.')
  expect(key?.body).toContain(
    'A request needed more than what is left. Such requests with this key are refused until then.',
  )
  expect(plan?.subject).toBe('The 5h quota of your subscription "pro" has been used up: $0.1 left')
  expect(plan?.body).toContain('The quota resets 5h after it is first used. A request needed more than what is left.')
  expect(plan?.body).toContain('Such requests are paid from your balance, as far as it reaches.')
  expect(whole?.subject).toBe('100% of the quota of your API key "laptop" is used')
  expect(whole?.body).toContain('Requests with this key are refused until then.')
})

test('a low balance says what is left', async () => {
  const low = {
    kind: 'low_balance',
    percent: null,
    resetsAt: null,
    limit: parseUsd('10'),
    used: parseUsd('9.25'),
  } as const
  await carrier().send(aBudgetAlert(low), never)
  expect(subjectOf(server.mails[0]?.text)).toBe('Your Tollgate balance is low: $0.75 left')
})

test('credentials are used, and a server that does not take them is a failure without them', async () => {
  const credentials = { user: 'ada@example.test', password: 'hunter2-and-more' }
  expect(await carrier({ credentials }).send(aBudgetAlert(), never)).toEqual({ kind: 'delivered' })
  const plain = Buffer.from('\0ada@example.test\0hunter2-and-more').toString('base64')
  expect(server.said).toContain(`AUTH PLAIN ${plain}`)
  server.reply('AUTH', '535 ada@example.test with hunter2-and-more is not known')
  const outcome = await carrier({ credentials }).send(aBudgetAlert(), never)
  expect(outcome).toEqual({
    kind: 'failed',
    failure: 'the mail server refuses the login: check the user and the password in TOLLGATE_SMTP_URL (SMTP 535)',
    retryAfterMs: null,
  })
})

test('a password is not said to another machine without TLS', async () => {
  const credentials = { user: 'ada', password: 'hunter2' }
  // Another name for this machine, so it counts as another machine.
  const outcome = await carrier({ host: '0.0.0.0', credentials }).send(aBudgetAlert(), never)
  expect(outcome.kind).toBe('failed')
  expect(server.said.join('\n')).not.toMatch(/AUTH/)
})

test('a server that falls silent is given up after the time-out', async () => {
  server.reply('DATA', null)
  expect(await carrier({ doneMs: 100 }).send(aBudgetAlert(), never)).toEqual({
    kind: 'failed',
    failure: 'the mail was not taken within 0.1 s',
    retryAfterMs: null,
  })
})

test('a stop ends it at once', async () => {
  server.reply('EHLO', null)
  const stopping = new AbortController()
  const sending = carrier().send(aBudgetAlert(), stopping.signal)
  stopping.abort()
  expect(await sending).toMatchObject({ kind: 'failed', failure: 'the gateway stopped before the mail was taken' })
})

function bodyOf(mail = ''): string {
  return mail.split('\n\n').slice(1).join('\n\n').replace(/=\n/g, '')
}

/** Undoes folding and the coding of single words (RFC 2047), as a mailbox does before it shows a subject. */
function subjectOf(mail = ''): string | undefined {
  const written = /^Subject: (.*(?:\n[ \t].*)*)/m.exec(mail)?.[1]
  return written
    ?.replace(/\n[ \t]+/g, ' ')
    .replace(/\?= =\?UTF-8\?Q\?/g, '')
    .replace(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, coded: string) =>
      decodeURIComponent(coded.replaceAll('%', '%25').replaceAll('_', ' ').replaceAll('=', '%')),
    )
}
