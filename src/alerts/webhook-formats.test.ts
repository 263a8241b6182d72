import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AlertReceiver, startAlertReceiver } from '../../test/support/alert-receiver.ts'
import { aBudgetAlert } from '../../test/support/budget-alert.ts'
import { LastTemplate } from './last-template.ts'
import { WebhookCarrier } from './webhook.ts'
import type { WebhookFormat } from './webhook-formats.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const SECRET = 'SEC-of-a-bot'
const alert = aBudgetAlert({ subjectName: 'a & <!here> @everyone <at user_id="all">' })
const TEXT = [
  '[Tollgate] 80% of the quota of your API key "a & <!here> @everyone <at user_id="all">" is used',
  'Your API key "a & <!here> @everyone <at user_id="all">" has used $4.000000001 of its quota of $5; $0.999999999 is left.',
  'The quota resets on 2026-11-22 00:00 UTC. When it is used up, requests are refused.',
  'Account: ada@example.test',
].join('\n\n')

let receiver: AlertReceiver
beforeEach(async () => {
  receiver = await startAlertReceiver()
})
afterEach(() => receiver.close())

async function posted(format: Exclude<WebhookFormat, 'json'>, over: { secret?: string; answer?: string } = {}) {
  const { secret = null, answer = '{"code":0,"errcode":0}' } = over
  receiver.answer((response) => response.writeHead(200, { 'content-type': 'application/json' }).end(answer))
  const carrier = new WebhookCarrier({
    url: receiver.url,
    format,
    secret,
    clock: { now: () => NOON, elapsed: () => 0 },
  })
  const outcome = await carrier.send(alert, new AbortController().signal)
  const { path = '', body = '', headers } = receiver.received.at(-1) ?? {}
  return { outcome, path, headers, body: JSON.parse(body) as unknown }
}

test('Slack gets one text, in which nothing is a link or a mention', async () => {
  const { body, outcome, headers } = await posted('slack', { answer: 'ok' })
  expect(body).toEqual({ text: TEXT.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') })
  expect(outcome).toEqual({ kind: 'delivered' })
  expect(Object.keys(headers ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([])
})

test('Discord gets one content that calls no one', async () => {
  expect((await posted('discord')).body).toEqual({ content: TEXT, allowed_mentions: { parse: [] } })
})

test('Feishu gets a text without its tags, signed by its own rule where the bot has a secret', async () => {
  const content = { text: TEXT.replaceAll('<', '＜') }
  expect((await posted('feishu')).body).toEqual({ msg_type: 'text', content })
  const timestamp = String(NOON / 1_000)
  const sign = createHmac('sha256', `${timestamp}\n${SECRET}`).update('').digest('base64')
  expect((await posted('feishu', { secret: SECRET })).body).toEqual({ timestamp, sign, msg_type: 'text', content })
})

test('WeCom gets a text', async () => {
  expect((await posted('wecom')).body).toEqual({ msgtype: 'text', text: { content: TEXT } })
})

test('DingTalk gets a text, and in the address its signature where the bot has a secret', async () => {
  const { body, path } = await posted('dingtalk')
  expect(body).toEqual({ msgtype: 'text', text: { content: TEXT } })
  expect(path).toBe('/hooks/alerts?from=tollgate')
  const signed = new URL((await posted('dingtalk', { secret: SECRET })).path, receiver.url).searchParams
  const sign = createHmac('sha256', SECRET).update(`${NOON}\n${SECRET}`).digest('base64')
  expect(Object.fromEntries(signed)).toEqual({ from: 'tollgate', timestamp: String(NOON), sign })
})

test.for([
  ['feishu', '{"code":19021,"msg":"sign match fail"}', 'code 19021'],
  ['wecom', '{"errcode":93000,"errmsg":"invalid webhook url"}', 'code 93000'],
  ['dingtalk', '{"errmsg":"keywords not in content","errcode":310000}', 'code 310000'],
  ['feishu', '<html>', 'an answer without its code'],
] as const)('%s answers 200 %s, which is not a delivery', async ([format, answer, failure]) => {
  expect((await posted(format, { answer })).outcome).toEqual({ kind: 'failed', failure, retryAfterMs: null })
})

test('a text that is too long is cut where the chat refuses more, between two characters', async () => {
  const long = aBudgetAlert({ subjectName: '额'.repeat(3_000) })
  for (const [format, measure] of [
    ['discord', (text: string) => text.length],
    ['wecom', (text: string) => Buffer.byteLength(text)],
  ] as const) {
    receiver.answer((response) => response.writeHead(200).end('{"errcode":0}'))
    const clock = { now: () => NOON, elapsed: () => 0 }
    const carrier = new WebhookCarrier({ url: receiver.url, format, secret: null, clock })
    await carrier.send(long, new AbortController().signal)
    const body = receiver.received.at(-1)?.body ?? ''
    const [text = ''] = /(?<="content":")[^"\\]*/.exec(body.replaceAll(/\\./g, '')) ?? []
    expect(text).not.toContain('\uFFFD')
    expect(measure(text)).toBeGreaterThan(1_900)
    expect(measure(text)).toBeLessThanOrEqual(format === 'wecom' ? 2_048 : 2_000)
  }
})

const NASTY = '"},\n{"admin": true} <!here>'
const TEMPLATE = { text: 'of {{subject_name}}', blocks: [{ n: 1, s: '{{percent}} % of {{limit}}' }] }

async function postedBy(format: WebhookFormat, template: LastTemplate, secret: string | null = null) {
  receiver.answer((response) => response.writeHead(200).end('{"code":0,"errcode":0}'))
  const clock = { now: () => NOON, elapsed: () => 0 }
  const way = format === 'json' ? { format, key: Buffer.from('k'.repeat(24)) } : { format, secret }
  const carrier = new WebhookCarrier({ url: receiver.url, clock, template, ...way })
  const outcome = await carrier.send(aBudgetAlert({ subjectName: NASTY }), new AbortController().signal)
  expect(outcome).toEqual({ kind: 'delivered' })
  const { body = '', headers } = receiver.received.at(-1) ?? {}
  return { text: body, headers, body: JSON.parse(body) as unknown }
}

test('a template is posted instead, in every format with its signature, and no name breaks it', async () => {
  const template = new LastTemplate(async () => TEMPLATE)
  const filled = (name: string) => ({ text: `of ${name}`, blocks: [{ n: 1, s: '80 % of 5' }] })
  const json = await postedBy('json', template)
  expect(json.body).toEqual(filled(NASTY))
  const signed = `${aBudgetAlert().id}.${NOON / 1_000}.${json.text}`
  const signature = createHmac('sha256', 'k'.repeat(24)).update(signed).digest('base64')
  expect(json.headers?.['webhook-signature']).toBe(`v1,${signature}`)
  expect((await postedBy('slack', template)).body).toEqual(filled(NASTY.replace('<!here>', '&lt;!here&gt;')))
  expect((await postedBy('discord', template)).body).toEqual({ ...filled(NASTY), allowed_mentions: { parse: [] } })
  const feishu = (await postedBy('feishu', template, SECRET)).body
  expect(feishu).toMatchObject({ ...filled(NASTY.replace('<', '＜')), timestamp: String(NOON / 1_000) })
})

test('without the database an alert goes out by the template that was read last', async () => {
  let read = async (): Promise<typeof TEMPLATE | null> => TEMPLATE
  const template = new LastTemplate(() => read())
  await template.now()
  read = () => Promise.reject(new Error('away'))
  expect((await postedBy('wecom', template)).body).toHaveProperty('blocks')
  read = async () => null
  expect((await postedBy('wecom', template)).body).toHaveProperty('msgtype')
})
