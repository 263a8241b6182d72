/** The fake upstream on the load's core, and itself as a subject: requests without anything between. */
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../test/support/kept-process.ts'
import { ANSWERS } from '../gateway-models.ts'
import { ON_A_SHARED_CORE, PinnedProcess, answers, type PinnedOptions } from './pinned-process.ts'
import type { Subject } from './subject.ts'

const START_TIMEOUT_MS = 10_000
const LISTED = Object.values(ANSWERS).flatMap((name) => ['--listed-model', name])
export const UPSTREAM_CREDENTIAL = 'bench-upstream-credential'

export interface UpstreamSubject extends Subject {
  readonly name: 'direct'
  readonly port: number
  readonly processId: number
}

export async function startUpstream(options: PinnedOptions): Promise<UpstreamSubject> {
  const port = await freePort()
  const main = fileURLToPath(new URL('../../../tools/fake-upstream/main.ts', import.meta.url))
  const running = new PinnedProcess(
    'fake-upstream',
    // Some gateways serve only what the list of their upstream has.
    [process.execPath, ...ON_A_SHARED_CORE, main, '--port', String(port), ...LISTED],
    options,
  )
  await running.untilReady(() => answers(`http://127.0.0.1:${port}/__stats?requests=0`), START_TIMEOUT_MS)
  return {
    name: 'direct',
    pid: null,
    processId: running.pid,
    port,
    target: ({ upstreamModel }) => ({ port, model: upstreamModel, authorization: `Bearer ${UPSTREAM_CREDENTIAL}` }),
    output: () => running.output,
    stop: () => running.stop(),
  }
}
