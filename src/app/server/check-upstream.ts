import type { UpstreamModelList, UpstreamTest } from '../../control/parts.ts'
import type { Clock } from '../../core/clock.ts'
import { ERROR_ANSWER_LIMIT_BYTES, MODEL_LIST_LIMIT_BYTES, UPSTREAM_TEST_MS } from '../../core/limits.ts'
import { isBuiltIn } from '../../core/upstream-protocol.ts'
import type { CredentialInUse, UpstreamInUse } from '../../gateway/snapshot.ts'
import { askForModels, meaningOf, NOT_A_LIST } from './ask-for-models.ts'
import { modelsIn } from './models-in.ts'

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
  const { body: _, ...test } = await asked(inUse, clock, { limitMs, limitBytes: ERROR_ANSWER_LIMIT_BYTES })
  return test
}

/** The same with the names that it lists, of which the whole is asked for. */
export async function listUpstreamModels(
  inUse: UpstreamInUse | undefined,
  clock: Pick<Clock, 'elapsed'>,
  limitMs = UPSTREAM_TEST_MS,
): Promise<UpstreamModelList> {
  const bounds = { limitMs, limitBytes: MODEL_LIST_LIMIT_BYTES, isWhole: true }
  const { body, ...test } = await asked(inUse, clock, bounds)
  const protocol = inUse?.upstream.protocol
  if (!test.isGood || body === null || protocol === undefined || isBuiltIn(protocol)) return { ...test, listed: null }
  const listed = modelsIn(body, protocol)
  if (listed !== null) return { ...test, listed }
  return { ...test, isGood: false, ...NOT_A_LIST, listed }
}

/** `body` null: none came. */
async function asked(
  inUse: UpstreamInUse | undefined,
  clock: Pick<Clock, 'elapsed'>,
  bounds: Parameters<typeof askForModels>[1],
): Promise<UpstreamTest & { readonly body: Buffer | null }> {
  if (inUse === undefined) {
    const detail =
      'The gateway cannot use this upstream as it is configured: its log says why. Set its credential again.'
    return { isGood: false, status: null, totalMs: 0, result: 'misconfigured', said: null, detail, body: null }
  }
  if (isBuiltIn(inUse.upstream.protocol)) {
    const detail = 'The demo upstream is built in and always answers.'
    return { isGood: true, status: null, totalMs: 0, result: 'listed', said: null, detail, body: null }
  }
  const startedAt = clock.elapsed()
  const { protocol } = inUse.upstream
  const client = testedOf(inUse.pool)?.client ?? inUse.client
  const answer = await askForModels({ client, protocol }, bounds)
  const totalMs = Math.round(clock.elapsed() - startedAt)
  if (answer.kind === 'none') {
    const { result, why: detail } = answer
    return { isGood: false, status: null, totalMs, result, said: null, detail, body: null }
  }
  const isGood = answer.status >= 200 && answer.status < 300
  if (isGood) testedOf(inUse.pool)?.health.answered(startedAt)
  return { isGood, status: answer.status, totalMs, ...meaningOf(answer, inUse.secrets), body: answer.body }
}

/** One that is refused comes first, as a good answer shows that it is taken again. */
function testedOf(pool: UpstreamInUse['pool']): CredentialInUse | undefined {
  const enabled = pool.filter(({ isDisabled }) => !isDisabled)
  return enabled.find(({ health }) => health.held !== null) ?? enabled[0] ?? pool[0]
}
