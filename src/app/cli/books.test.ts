import { expect, test } from 'vitest'
import { nanoUsd } from '../../core/money.ts'
import type { LedgerProof, ProveOptions } from '../../metering/funds/ledger.ts'
import type { Store } from '../../store/store.ts'
import { cliHostByHand } from '../../../test/support/cli-host-by-hand.ts'
import { runCommandLine } from './command-line.ts'

const SOUND = {
  accounts: 2,
  entries: 8,
  records: 7,
  retired: 0,
  charged: nanoUsd(106n),
  overruns: 0,
  disagreements: [],
}

async function checkLedger(proof: LedgerProof) {
  const store: Pick<Store, 'engine' | 'close'> & { ledger: Pick<Store['ledger'], 'prove'> } = {
    engine: 'postgres',
    ledger: { prove: async () => proof },
    close: async () => {},
  }
  const { host, printed } = cliHostByHand({
    environment: { DATABASE_URL: 'postgres://tollgate@127.0.0.1:1/none', TOLLGATE_SECRET: 'x'.repeat(43) },
    openStore: async () => store as Store,
  })
  return { exitCode: await runCommandLine(['check-ledger'], host), lines: printed }
}

test('sound books are ok in one line', async () => {
  expect(await checkLedger(SOUND)).toEqual({
    exitCode: 0,
    lines: ['ok: 2 accounts, 8 ledger entries, 7 usage records, $0.000000106 charged\n'],
  })
})

test.each([
  [1, '1 overrun'],
  [12, '12 overruns'],
])('%i overruns are said, and are nothing broken', async (overruns, said) => {
  const { exitCode, lines } = await checkLedger({ ...SOUND, overruns })
  expect([exitCode, lines.at(-1)]).toEqual([
    0,
    `ok: 2 accounts, 8 ledger entries, 7 usage records, $0.000000106 charged, ${said}\n`,
  ])
})

test('the proof says how far it is, and a signal ends it at once with a sentence', async () => {
  let hear: (signal: NodeJS.Signals) => void = () => {}
  const prove = async ({ onProgress }: ProveOptions = {}): Promise<LedgerProof> => {
    onProgress?.('usage records', 0, 7)
    hear('SIGTERM')
    return SOUND
  }
  const ended: string[] = []
  const store = { engine: 'postgres', ledger: { prove }, close: async () => {} }
  const { host, remarked } = cliHostByHand({
    environment: { DATABASE_URL: 'postgres://tollgate@127.0.0.1:1/none', TOLLGATE_SECRET: 'x'.repeat(43) },
    openStore: async () => store as unknown as Store,
    endBy: (signal) => void ended.push(signal),
    onStopSignal(listener) {
      hear = listener
      return () => (hear = () => {})
    },
  })
  expect(await runCommandLine(['check-ledger'], host)).toBe(0)
  expect(remarked).toEqual(['usage records: 7 …\n', 'Stopped. Nothing is changed; the next run begins anew.\n'])
  expect(ended).toEqual(['SIGTERM'])
  hear('SIGTERM')
  expect(ended).toHaveLength(1)
})

test('what disagrees is said before the last line, which counts it', async () => {
  const { exitCode, lines } = await checkLedger({
    ...SOUND,
    overruns: 3,
    disagreements: ['account A: this', 'alert B: that'],
  })
  expect(exitCode).toBe(1)
  expect(lines.slice(0, 2)).toEqual(['account A: this\n', 'alert B: that\n'])
  expect(lines.at(-1)).toMatch(/^broken, 2 disagreements: 2 accounts, .*, 3 overruns\n$/)
})
