import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { chatStatus } from '../support/chat-status.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { startMailServer } from '../support/mail-server.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { scriptedUpstream, well } from '../support/scripted-upstream.ts'

// A mail server that falls silent as the process is asked to end. Mails are given up after 30 s.

const KEY = 'silent-journey-5d0a2f7c81be'
/** Long before the mail is given up, and far more than a busy machine takes for what is left to do. */
const SOON_MS = 20_000

async function withSilentMail() {
  const [mail, upstream] = await Promise.all([startMailServer(), scriptedUpstream(well)])
  onTestFinished(async () => {
    upstream.close()
    await mail.close()
  })
  mail.reply('EHLO', null)
  const environment = await freshEnvironment({
    TOLLGATE_DEMO: '0',
    TOLLGATE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    TOLLGATE_MAIL_FROM: 'alerts@example.test',
    TOLLGATE_PUBLIC_URL: 'http://gateway.example.test',
    TOLLGATE_LOW_BALANCE_USD: '1',
  })
  const path = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.yaml')
  await writeFile(path, JSON.stringify(declaration(upstream.port)))
  const begin = () => startGateway({ ...environment, TOLLGATE_CONFIG: path })
  const isAsked = () => expect.poll(() => mail.said.join(), { timeout: PATIENCE_MS }).toContain('EHLO')
  return { mail, begin, isAsked }
}

// from: nodemailer/nodemailer#1778, log4js-node/log4js-node#277.
test('an alert whose mail server is silent does not keep the process, and is mailed by the next one', async () => {
  const { mail, begin, isAsked } = await withSilentMail()
  const gateway = await begin()
  expect(await chatStatus(gateway.origin, { key: KEY, model: 'm' })).toBe(200)
  await isAsked()
  const askedAt = performance.now()
  expect(await gateway.stop()).toBe(0)
  expect(performance.now() - askedAt).toBeLessThan(SOON_MS)
  expect(mail.mails).toEqual([])
  mail.reply('EHLO', '250 mail.test')
  const next = await begin()
  await expect.poll(() => mail.mails.length, { timeout: PATIENCE_MS }).toBe(1)
  expect(await next.stop()).toBe(0)
})

test('a link that is being mailed to a silent server does not keep the process', async () => {
  const { begin, isAsked } = await withSilentMail()
  const gateway = await begin()
  const asked = await fetch(`${gateway.origin}/api/auth/password/forgot`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://gateway.example.test' },
    body: JSON.stringify({ email: 'ada@example.test' }),
  })
  expect(asked.status).toBeLessThan(300)
  await isAsked()
  const askedAt = performance.now()
  expect(await gateway.stop()).toBe(0)
  expect(performance.now() - askedAt).toBeLessThan(SOON_MS)
})

function declaration(port: number): object {
  return {
    upstreams: [{ name: 'up', protocol: 'openai-chat', base_url: `http://127.0.0.1:${port}/v1`, credential: 'sk-up' }],
    models: [{ name: 'm', price: { input: '1', output: '1' }, targets: [{ upstream: 'up' }] }],
    groups: [{ name: 'default', models: ['*'] }],
    accounts: [{ email: 'ada@example.test', balance: '1.000001' }],
    keys: [{ account: 'ada@example.test', name: 'laptop', group: 'default', custom_key: KEY }],
  }
}
