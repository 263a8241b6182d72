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
  const how = { limitMs, limitBytes: ERROR_ANSWER_LIMIT_BYTES, credential: testedIn(inUse), isTest: true }
  const { body: _, ...test } = await asked(inUse, clock, how)
  return test
}

/** The same with the names that it lists, of which the whole is asked for. */
export function listUpstreamModels(
  inUse: UpstreamInUse | undefined,
  clock: Pick<Clock, 'elapsed'>,
  limitMs = UPSTREAM_TEST_MS,
): Promise<UpstreamModelList> {
  return listed(inUse, clock, { limitMs, credential: testedIn(inUse), isTest: true })
}

/**
 * The same when no person asks: with a credential that the provider takes, as far as is known, and without saying of it that
 * it does. `null`: there is none, or nothing can be asked.
 */
export function lookAtUpstreamModels(
  inUse: UpstreamInUse | undefined,
  clock: Pick<Clock, 'elapsed'>,
  limitMs = UPSTREAM_TEST_MS,
): (() => Promise<UpstreamModelList>) | null {
  if (inUse === undefined || isBuiltIn(inUse.upstream.protocol)) return null
  const now = clock.elapsed()
  const credential = inUse.pool.find(
    ({ isDisabled, health }) => !isDisabled && health.held === null && health.use.pause(now) !== 'expired',
  )
  if (credential === undefined) return null
  return () => listed(inUse, clock, { limitMs, credential, isTest: false })
}

async function listed(
  inUse: UpstreamInUse | undefined,
  clock: Pick<Clock, 'elapsed'>,
  how: Pick<How, 'limitMs' | 'credential' | 'isTest'>,
): Promise<UpstreamModelList> {
  const { body, ...test } = await asked(inUse, clock, { ...how, limitBytes: MODEL_LIST_LIMIT_BYTES, isWhole: true })
  const protocol = inUse?.upstream.protocol
  if (!test.isGood || body === null || protocol === undefined || isBuiltIn(protocol)) return { ...test, listed: null }
  const list = modelsIn(body, protocol)
  if (list !== null) return { ...test, listed: list }
  return { ...test, isGood: false, ...NOT_A_LIST, listed: null }
}

type How = Parameters<typeof askForModels>[1] & {
  /** undefined: none is sent. */
  readonly credential: CredentialInUse | undefined
  /** A person wants to know whether it is taken: then a good answer says so of it. */
  readonly isTest: boolean
}

/** `body` null: none came. */
async function asked(
  inUse: UpstreamInUse | undefined,
  clock: Pick<Clock, 'elapsed'>,
  { credential, isTest, ...bounds }: How,
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
  const client = credential?.client ?? inUse.client
  const answer = await askForModels({ client, protocol }, bounds)
  const totalMs = Math.round(clock.elapsed() - startedAt)
  if (answer.kind === 'none') {
    const { result, why: detail } = answer
    return { isGood: false, status: null, totalMs, result, said: null, detail, body: null }
  }
  const isGood = answer.status >= 200 && answer.status < 300
  if (isGood && isTest) credential?.health.answered(startedAt)
  return { isGood, status: answer.status, totalMs, ...meaningOf(answer, inUse.secrets), body: answer.body }
}

/** One that is refused comes first, as a good answer shows that it is taken again. */
function testedIn(inUse: UpstreamInUse | undefined): CredentialInUse | undefined {
  const pool = inUse?.pool ?? []
  const enabled = pool.filter(({ isDisabled }) => !isDisabled)
  return enabled.find(({ health }) => health.held !== null) ?? enabled[0] ?? pool[0]
}
