import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { LAUNCHER, runTollgate } from '../support/gateway-process.ts'
import { starting, STARTING } from '../support/held-start.ts'
import { PATIENCE_MS } from '../support/patience.ts'

// A signal at any moment of a start, from the first instruction on. libuv/libuv#1709 has what a process meets that is still
// starting. Where it comes makes no difference to what is expected.

const MOMENTS_MS = [0, 40, 120, 250, 400, 600, 900, 1_300, 2_000, 3_000]

test.for([1, 4, 8])(
  'a signal at any moment of a start with %i threads leaves nothing half-written',
  async (threads) => {
    const environment = await freshEnvironment({ TOLLGATE_WORKERS: String(threads) })
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      for (const moment of MOMENTS_MS) {
        const child = spawn(process.execPath, [LAUNCHER, 'start'], { env: environment, stdio: 'ignore' })
        const ended = new Promise<{ code: number | null; by: NodeJS.Signals | null }>((resolve) => {
          child.once('exit', (code, by) => resolve({ code, by }))
        })
        await pause(moment)
        child.kill(signal)
        const { code, by } = await ended
        // Before the database is open it is the signal that ends it.
        expect([0, signal], `${signal} after ${moment} ms`).toContain(code ?? by)
      }
    }
    const gateway = await startGateway(environment)
    expect((await fetch(`${gateway.origin}/readyz`)).status).toBe(200)
    expect(await gateway.stop()).toBe(0)
    expect((await runTollgate(environment, ['check-ledger'])).code).toBe(0)
  },
)

test.for([
  ['SIGTERM', 2],
  ['SIGINT', 2],
  ['SIGHUP', 2],
  ['SIGTERM', 8],
] as const)(
  '%s while %i threads begin drains what runs already, and ends the process with 0',
  async ([signal, count]) => {
    const { release, readiness, child, ended, printed } = await starting(count)
    await expect.poll(readiness, { timeout: PATIENCE_MS }).toEqual(STARTING)
    child.kill(signal)
    await expect.poll(printed, { timeout: PATIENCE_MS }).toContain('"msg":"draining"')
    await release()
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(printed()).not.toContain('"msg":"ready"')
  },
)
