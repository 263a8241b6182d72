import { expect, test } from 'vitest'
import type { Store } from '../../store/store.ts'
import { cliHostByHand } from '../../../test/support/cli-host-by-hand.ts'
import { runCommandLine } from './command-line.ts'

test('a signal ends it between two portions, after saying what went, and the process ends by that signal', async () => {
  let hear: ((signal: NodeJS.Signals) => void) | null = null
  const retention = {
    setDaysApart: async () => 'no',
    archives: async () => [],
    forgetSessions: async (_before: number, limit: number) => {
      hear?.('SIGTERM')
      return limit
    },
  }
  const ended: string[] = []
  const { host, printed, remarked } = cliHostByHand({
    environment: { DATABASE_URL: 'postgres://tollgate@127.0.0.1:1/none', TOLLGATE_SECRET: 'x'.repeat(43) },
    openStore: async () => ({ engine: 'postgres', retention, close: async () => {} }) as unknown as Store,
    endBy: (signal) => void ended.push(signal),
    onStopSignal(listener) {
      hear = listener
      return () => (hear = null)
    },
  })
  await runCommandLine(['retention'], host)
  expect(printed).toEqual(['deleted: 500 expired sessions\n'])
  expect(remarked.at(-1)).toBe('Stopped. The next run goes on from there.\n')
  expect(ended).toEqual(['SIGTERM'])
  expect(hear).toBeNull()
})
