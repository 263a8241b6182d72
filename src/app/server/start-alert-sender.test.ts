import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Logger } from '../../core/log.ts'
import { alertCarriers } from '../../alerts/alert-carriers.ts'
import type { AlertDelivery, AlertStore } from '../../alerts/alert.ts'
import { type AlertReceiver, startAlertReceiver } from '../../../test/support/alert-receiver.ts'
import { aBudgetAlert } from '../../../test/support/budget-alert.ts'
import { type MailServerUnderTest, startMailServer } from '../../../test/support/mail-server.ts'
import { readEnvironment } from '../installation/environment.ts'
import { startAlertSender } from './scheduled-work.ts'

let receiver: AlertReceiver
let mail: MailServerUnderTest
beforeEach(async () => {
  receiver = await startAlertReceiver()
  mail = await startMailServer()
})
afterEach(() => Promise.all([receiver.close(), mail.close()]))

function recordingLog() {
  const lines: string[] = []
  const line = (...what: unknown[]) => void lines.push(inspect(what, { depth: 9, showHidden: true }))
  return { lines, log: { error: line, warn: line, info: line, debug: line } as unknown as Logger }
}

const clock = { now: () => Date.UTC(2026, 10, 21, 12), elapsed: () => 0 }

test('whatever fails, neither the log nor what is recorded holds a secret', async () => {
  receiver.answer((response) => response.writeHead(410).end('hunter2'))
  mail.reply('AUTH', '535 not with hunter2')
  const settings = readEnvironment({
    TOLLGATE_ALERT_WEBHOOK_URL: receiver.url.replace('http://', 'http://ada:hunter2@').replace('/hooks', '/s3cret'),
    TOLLGATE_ALERT_WEBHOOK_SECRET: 's3cret-that-receivers-know',
    TOLLGATE_SMTP_URL: `smtp://ada:hunter2@127.0.0.1:${mail.port}`,
    TOLLGATE_MAIL_FROM: 'alerts@example.test',
  })
  const recorded: unknown[] = []
  // The last try of each, so that both are given up and logged.
  const taken: AlertDelivery[] = (['webhook', 'mail'] as const).map((way) => ({ alert: aBudgetAlert(), way, tries: 6 }))
  const alerts: AlertStore = {
    take: async () => taken.splice(0),
    record: async (delivery, { failure }) => void recorded.push({ ...delivery, failure }),
    list: async () => [],
    forget: async () => 0,
    announceEnds: async () => 0,
  }
  const { lines, log } = recordingLog()
  const carriers = await alertCarriers(settings, clock, async () => null)
  const sender = startAlertSender({ carriers, store: { alerts }, clock, log, keptDays: 90 })
  await sender.look()
  await sender.stop()
  const alertId = aBudgetAlert().id
  expect(recorded).toContainEqual({ alertId, way: 'webhook', failure: 'HTTP 410' })
  expect(recorded).toContainEqual({
    alertId,
    way: 'mail',
    failure: expect.stringMatching(/refuses the login.*SMTP 535/),
  })
  expect(lines).toHaveLength(2)
  expect(receiver.received[0]?.path).toContain('s3cret')
  expect(JSON.stringify([lines, recorded])).not.toMatch(/hunter2|s3cret/)
})

test('when nothing is configured the database is asked for nothing to send, only to announce ends and delete what is old', async () => {
  const never = () => Promise.reject(new Error('asked'))
  const { lines, log } = recordingLog()
  const forget = vi.fn(async () => 0)
  const announceEnds = vi.fn(async () => 0)
  const alerts: AlertStore = { take: never, record: never, list: never, forget, announceEnds }
  const sender = startAlertSender({
    carriers: await alertCarriers(readEnvironment({}), clock, never),
    store: { alerts },
    clock,
    log,
    keptDays: 90,
  })
  await sender.look()
  await sender.stop()
  expect(announceEnds).toHaveBeenCalledOnce()
  expect(forget).toHaveBeenCalledOnce()
  expect(lines).toEqual([])
})
