import type { UpstreamTest } from '../../control/parts.ts'
import type { Clock } from '../../core/clock.ts'
import { ERROR_ANSWER_LIMIT_BYTES, UPSTREAM_TEST_MS } from '../../core/limits.ts'
import { isBuiltIn } from '../../core/upstream-protocol.ts'
import type { CredentialInUse, UpstreamInUse } from '../../gateway/snapshot.ts'
import { askForModels, saidOf } from './ask-for-models.ts'

/**
 * Asks an upstream for its list of models, over the connections and with the credential that requests use: free of charge
 * everywhere, and refused where the credential is wrong. `undefined`: the gateway could not set this upstream up.
 *
 * Its answer is read for nothing but an error's message, redirects are not followed, and the path is fixed: an admin who may
 * configure upstreams learns of an address whether it answers, and reads nothing else of what is there.
 */
export async function testUpstream(
  inUse: UpstreamInUse | undefined,
  clock: Pick<Clock, 'elapsed'>,
  limitMs = UPSTREAM_TEST_MS,
): Promise<UpstreamTest> {
  if (inUse === undefined) {
    const detail =
      'The gateway cannot use this upstream as it is configured: its log says why. Set its credential again.'
    return { isGood: false, status: null, totalMs: 0, detail }
  }
  if (isBuiltIn(inUse.upstream.protocol)) {
    return { isGood: true, status: null, totalMs: 0, detail: 'The demo upstream is built in and always answers.' }
  }
  const startedAt = clock.elapsed()
  const { protocol } = inUse.upstream
  const client = testedOf(inUse.pool)?.client ?? inUse.client
  const answer = await askForModels({ client, protocol }, { limitMs, limitBytes: ERROR_ANSWER_LIMIT_BYTES })
  const totalMs = Math.round(clock.elapsed() - startedAt)
  if (answer.kind === 'none') return { isGood: false, status: null, totalMs, detail: answer.why }
  const isGood = answer.status >= 200 && answer.status < 300
  if (isGood) testedOf(inUse.pool)?.health.answered(startedAt)
  return { isGood, status: answer.status, totalMs, detail: saidOf(answer, inUse.secrets) }
}

/** One that is refused comes first, as a good answer shows that it is taken again. */
function testedOf(pool: UpstreamInUse['pool']): CredentialInUse | undefined {
  const enabled = pool.filter(({ isDisabled }) => !isDisabled)
  return enabled.find(({ health }) => health.held !== null) ?? enabled[0] ?? pool[0]
}
