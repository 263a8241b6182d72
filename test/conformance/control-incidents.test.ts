import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { aSettlement } from './store-fixtures.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const HOUR_MS = 3_600_000

describe.each(ENGINES_ABOVE_STORES)('incidents on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker
  let ada: Asker & { readonly account: { readonly id: string } }
  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    admin = await control.account({ role: 'admin' })
    ada = await control.account({ balance: '10' })
    // In the midst of an hour.
    control.clock.advance(HOUR_MS / 2)
  })
  afterAll(() => control.close())

  test('are troubled hours in a row at one upstream, alerts, and what was changed meanwhile', async () => {
    const now = control.clock.now()
    const settled = (agoHours: number, count: number, record: Partial<UsageRecord>) =>
      Array.from({ length: count }, (_, at) => {
        const createdAt = now - agoHours * HOUR_MS + at
        return aSettlement(ada.account.id, 10n, { record: { id: newId('req', createdAt), createdAt, ...record } })
      })
    const down = { upstreamName: 'main', outcome: 'failed', fault: 'upstream_overloaded' } as const
    const late = { upstreamName: 'main', outcome: 'failed', fault: 'upstream_timeout' } as const
    const wrong = { upstreamName: 'main', outcome: 'failed', fault: 'request_invalid' } as const
    await control.store.settlements.settle([
      ...settled(5, 12, { model: 'big', ...down }),
      ...settled(4, 6, { model: 'small', ...down }),
      ...settled(4, 8, { model: 'small', ...late }),
      ...settled(4, 6, { model: 'small', upstreamName: 'main' }),
      // A mistake of callers, too few requests, and few failures among many.
      ...settled(3, 40, { model: 'big', ...wrong }),
      ...settled(2, 9, { model: 'big', ...down }),
      ...settled(1, 40, { model: 'big', upstreamName: 'main' }),
      ...settled(1, 5, { model: 'big', ...down }),
    ])
    await control.store.alerts.tellAdmins({ kind: 'credential_held', about: 'main default' }, now - HOUR_MS)
    await control.store.alerts.tellAdmins({ kind: 'credential_held', about: 'main default' }, now)
    await admin.ask('POST', '/api/groups', { name: 'vip' })
    await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'vip' })

    const { body, text } = await admin.ask('GET', '/api/incidents')
    expect(body.data, text).toEqual([
      {
        kind: 'credential_held',
        upstream: null,
        models: [],
        about: 'main default',
        from: '2026-11-21T11:00:00.000Z',
        until: null,
        requests: null,
        failed: null,
        fault: null,
      },
      {
        kind: 'failures',
        upstream: 'main',
        models: ['big', 'small'],
        about: null,
        from: '2026-11-21T07:00:00.000Z',
        until: '2026-11-21T09:00:00.000Z',
        requests: 32,
        failed: 26,
        // 18 of them, and 8 timeouts, though these are the most in their hour.
        fault: 'upstream_overloaded',
      },
    ])
    expect([body.from, body.to]).toEqual(['2026-11-20T13:00:00.000Z', '2026-11-21T13:00:00.000Z'])
    const hours = new Map(body.hours.map(({ at, ...rest }: { at: string }) => [at.slice(11, 13), rest]))
    expect(hours.get('08')).toEqual({ requests: 20, failed: { client: 0, gateway: 0, upstream: 14 } })
    expect(hours.get('09')).toEqual({ requests: 40, failed: { client: 40, gateway: 0, upstream: 0 } })
    expect(body.changes.map(({ action }: { action: string }) => action)).toEqual(['group.create'])
  })

  test('are those of the days that are asked for, to staff alone', async () => {
    const auditor = await control.account({ role: 'auditor' })
    control.clock.advance(26 * HOUR_MS)
    expect((await auditor.ask('GET', '/api/incidents?days=1')).body).toMatchObject({ data: [], changes: [] })
    expect((await auditor.ask('GET', '/api/incidents?days=7')).body.data).toHaveLength(2)
    expect((await auditor.ask('GET', '/api/incidents?days=32')).status).toBe(422)
    expect((await ada.ask('GET', '/api/incidents')).status).toBe(403)
  })
})
