import { expect, test } from 'vitest'
import { soak } from '../../bench/soak/soak.ts'
import { judge } from '../../bench/soak/verdict.ts'
import { temporaryDirectory } from '../support/test-servers.ts'

/** Idle connections to upstreams are closed after half a minute, and the test waits for that. */
const TIMEOUT_MS = 600_000

/** The least of 480: a busy machine opens fewer in the time and goes on until it has these; hardly any would prove nothing. */
const LEAST_OPENED = 200

/** The short form of `npm run bench -- soak`, which looks at memory and speed too. */
test(
  'streams that are opened and left leave no slot, hold, lease or socket behind',
  { timeout: TIMEOUT_MS },
  async () => {
    const evidence = await soak({
      // As many as a small machine serves beside other work.
      streamsPerSecond: 40,
      // On a machine that is too busy for the pace a queue without end would be measured, not the gateway.
      mostOpen: 40,
      leastOpened: LEAST_OPENED,
      seconds: 12,
      warmUpSeconds: 1,
      watchesMemory: false,
      seed: 5,
      workers: 1,
      directory: await temporaryDirectory(),
      say: () => {},
    })
    const unmet = judge(evidence).filter(({ isMet, isOfSpeed }) => !isMet && isOfSpeed !== true)
    expect(evidence.load.opened).toBeGreaterThanOrEqual(LEAST_OPENED)
    expect({ unmet, firstFailure: evidence.load.firstFailure }).toEqual({ unmet: [], firstFailure: null })
  },
)
