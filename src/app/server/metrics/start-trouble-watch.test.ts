import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebhookCarrier } from '../../../alerts/webhook.ts'
import type { Logger } from '../../../core/log.ts'
import type { Figures } from '../../../telemetry/figures.ts'
import { type AlertReceiver, startAlertReceiver } from '../../../../test/support/alert-receiver.ts'
import { startTroubleWatch } from './start-trouble-watch.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const clock = { now: () => NOON, elapsed: () => 0 }
const log = { warn: () => {} } as unknown as Logger

let receiver: AlertReceiver
beforeEach(async () => {
  receiver = await startAlertReceiver()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
  return receiver.close()
})

test('that the database is away is posted without asking it; other troubles are noted there', async () => {
  const held = { of: 'credentialState' as const, labels: ['main', 'default', 'held'], value: 1 }
  let figures: Figures = { values: [{ of: 'storeUp', labels: [], value: 0 }], distributions: [] }
  const noted: unknown[] = []
  const watch = startTroubleWatch({
    isBackupOld: async () => false,
    gather: async () => figures,
    store: { alerts: { tellAdmins: async (trouble, nowMs) => void noted.push({ ...trouble, nowMs }) } },
    carriers: [new WebhookCarrier({ url: receiver.url, format: 'json', key: Buffer.from('key'), clock })],
    clock,
    log,
  })
  await vi.advanceTimersByTimeAsync(15_000)
  await vi.advanceTimersByTimeAsync(15_000)
  await receiver.arrived(1)
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'store.failing',
    account: null,
    limit: '0',
  })
  expect(noted).toEqual([])
  figures = { values: [{ of: 'storeUp', labels: [], value: 1 }, held], distributions: [] }
  await expect
    .poll(async () => {
      await vi.advanceTimersByTimeAsync(15_000)
      return noted
    })
    .toEqual([{ kind: 'credential_held', about: 'main / default', nowMs: NOON }])
  await watch.stop()
})
