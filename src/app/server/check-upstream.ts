import type { CredentialTest, UpstreamModelList, UpstreamTest } from '../../control/parts.ts'
import type { Clock } from '../../core/clock.ts'
import { UPSTREAM_TEST_MS } from '../../core/limits.ts'
import { isBuiltIn, type RemoteProtocol } from '../../core/upstream-protocol.ts'
import type { CredentialInUse, UpstreamInUse } from '../../gateway/snapshot.ts'
import { askWhereListed } from './cloud-model-list.ts'
import type { ListAnswer, ModelsInAnswer } from './model-list-answer.ts'

/**
 * Asks an upstream for its list of models, over the connections and with the credential that requests use: free of charge
 * everywhere, and refused by most where the credential is wrong. Where the list comes, it is asked for once more without the
 * credential, since some providers give it to anyone; only one that comes with the credential alone says of a credential that
 * was refused that it is taken again. `undefined`: the gateway could not set this upstream up.
 *
 * Of its answer only an error's message is repeated, redirects are not followed, and the path is fixed: an admin who may
 * configure upstreams learns of an address whether it answers, and reads nothing else of what is there.
 */
export async function testUpstream(
  inUse: UpstreamInUse | undefined,
  clock: Pick<Clock, 'elapsed'>,
  limitMs = UPSTREAM_TEST_MS,
): Promise<CredentialTest> {
  const credential = testedIn(inUse)
  const startedAt = clock.elapsed()
  const { listed, ...test } = await asked(inUse, clock, { limitMs, credential })
  const protocol = inUse?.upstream.protocol
  if (inUse === undefined || protocol === undefined || isBuiltIn(protocol)) return { ...test, provesCredential: null }
  if (listed === null || credential?.credential == null) return { ...test, provesCredential: null }
  const withoutIt = await askFor({ ...inUse, protocol }, { limitMs, credential: undefined })
  if (withoutIt.status === null) return { ...test, provesCredential: null }
  if (!withoutIt.isGood) {
    credential.health.answered(startedAt)
    return { ...test, provesCredential: true }
  }
  return { ...test, detail: `${test.detail} ${LISTS_TO_ANYONE}`, provesCredential: false }
}

const LISTS_TO_ANYONE =
  'It gives this list without a credential as well, which proves nothing of the credential: send a test request to be sure.'

/** Tests an upstream as `testUpstream` does, and returns the names that it lists, as many as there are. */
export function listUpstreamModels(
  inUse: UpstreamInUse | undefined,
  clock: Pick<Clock, 'elapsed'>,
  limitMs = UPSTREAM_TEST_MS,
): Promise<UpstreamModelList> {
  return asked(inUse, clock, { limitMs, credential: testedIn(inUse), isWhole: true })
}

/**
 * Lists models where no person asks: with a credential that the provider accepts, as far as is known. null: there is none, or
 * nothing can be asked.
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
  return () => asked(inUse, clock, { limitMs, credential, isWhole: true })
}

interface How {
  readonly limitMs: number
  /** undefined: none is sent. */
  readonly credential: CredentialInUse | undefined
  /** Whether as long a list as there is is asked for. */
  readonly isWhole?: boolean
}

async function asked(
  inUse: UpstreamInUse | undefined,
  clock: Pick<Clock, 'elapsed'>,
  { limitMs, credential, isWhole = false }: How,
): Promise<UpstreamTest & { readonly listed: ModelsInAnswer | null }> {
  if (inUse === undefined) {
    const detail =
      'The gateway cannot use this upstream as it is configured: its log says why. Set its credential again.'
    return { isGood: false, status: null, totalMs: 0, result: 'misconfigured', said: null, detail, listed: null }
  }
  if (isBuiltIn(inUse.upstream.protocol)) {
    const detail = 'The demo upstream is built in and always answers.'
    return { isGood: true, status: null, totalMs: 0, result: 'listed', said: null, detail, listed: null }
  }
  const startedAt = clock.elapsed()
  const { protocol } = inUse.upstream
  const answer = await askFor({ ...inUse, protocol }, { limitMs, credential, isWhole })
  return { ...answer, totalMs: Math.round(clock.elapsed() - startedAt) }
}

async function askFor(
  { protocol, client, secrets, cloudList }: UpstreamInUse & { readonly protocol: RemoteProtocol },
  { credential, ...bounds }: How,
): Promise<ListAnswer> {
  const opened = cloudList?.open(credential ?? null)
  const question = { client: opened ?? credential?.client ?? client, protocol, secrets }
  try {
    return await askWhereListed(cloudList == null ? cloudList : cloudList.listing, question, bounds)
  } finally {
    await opened?.close()
  }
}

/** Chooses a credential that is held before others, as a good answer may show that the provider accepts it again. */
function testedIn(inUse: UpstreamInUse | undefined): CredentialInUse | undefined {
  const pool = inUse?.pool ?? []
  const enabled = pool.filter(({ isDisabled }) => !isDisabled)
  return enabled.find(({ health }) => health.held !== null) ?? enabled[0] ?? pool[0]
}
