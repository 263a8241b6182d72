import { expect, test } from 'vitest'
import type { AlertWay, RecordedAlert } from '../../alerts/alert.ts'
import { failingWays } from './alert-items.ts'

function recorded(createdAt: number, way: AlertWay, failure: string | null): RecordedAlert {
  const deliveredAt = failure === null ? createdAt : null
  return {
    alert: { createdAt } as RecordedAlert['alert'],
    deliveries: [{ way, tries: 1, nextTryAt: null, deliveredAt, failure }],
  }
}

test('a way of alerts is named while the newest that was tried on it failed, since the first in a row', () => {
  const newestFirst = [
    recorded(9_000, 'webhook', 'status 500'),
    recorded(8_000, 'mail', null),
    recorded(7_000, 'webhook', 'timeout'),
    recorded(6_000, 'webhook', null),
    recorded(5_000, 'mail', 'refused'),
  ]
  expect(failingWays(newestFirst)).toMatchObject([
    {
      kind: 'alerts_failing',
      way: 'webhook',
      since: '1970-01-01T00:00:07.000Z',
      detail: expect.stringContaining('status 500'),
    },
  ])
  expect(failingWays([recorded(10_000, 'webhook', null), ...newestFirst])).toEqual([])
})
