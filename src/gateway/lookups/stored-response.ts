import { setTimeout as wait } from 'node:timers/promises'
import type { KeyWithOwner } from '../../access/api-key.ts'
import { CollectedBytes } from '../../core/collected-bytes.ts'
import { Fault } from '../../core/faults.ts'
import { invariant } from '../../core/invariant.ts'
import { ANSWER_LIMIT_BYTES, STORED_RESPONSE_ANSWER_MS, STORED_RESPONSE_CREDENTIALS_LIMIT } from '../../core/limits.ts'
import { fingerprintOf } from '../../protocols/bound-content.ts'
import { protocolOf } from '../../protocols/protocol-of.ts'
import { chooseCredential } from '../../routing/choose-credential.ts'
import { providerOrgOf } from '../../routing/provider-org.ts'
import type { UpstreamExchange } from '../../upstreams/upstream-client.ts'
import type { StoredResponseRoute } from '../arrival/stored-paths.ts'
import { forwardedHeaders } from '../choice/forwarded-headers.ts'
import type { GatewayParts } from '../parts.ts'
import { beginFree } from './free-use.ts'
import { accountFailureOf } from '../../routing/account-refusals.ts'
import { askedRestMs } from '../../routing/stated-rest.ts'
import type { CredentialInUse, UpstreamInUse } from '../snapshot.ts'
import { asFault, faultOfRefusal, faultOfRest, isGood, withoutSecretsIn } from '../upstream-faults.ts'

/** What is asked of a stored response, with the client's query and headers. */
export interface StoredResponseCall {
  readonly route: StoredResponseRoute
  readonly caller: KeyWithOwner
  readonly requestId: string
  /** The query with its question mark; empty when there is none. */
  readonly query: string
  readonly rawHeaders: readonly string[]
  /** Aborted when the client is gone. */
  readonly gone: AbortSignal
}

/**
 * Asks the upstream that made a response for it, or for what belongs to it, on behalf of the account that got it. Costs
 * nothing, and leaves no record; it counts as a request of its key's. Rejects with the one Fault that stops it.
 */
export async function askForStored(call: StoredResponseCall, parts: GatewayParts): Promise<Buffer> {
  const { caller, query } = call
  if (new URLSearchParams(query).getAll('stream').some((value) => value !== 'false')) {
    throw new Fault('request_invalid', 'Stored responses are not streamed here. Leave out stream=true.', {
      param: 'stream',
    })
  }
  const end = await beginFree(caller, parts, 'counts as a request')
  try {
    return await ask(call, parts)
  } finally {
    end()
  }
}

async function ask(call: StoredResponseCall, parts: GatewayParts): Promise<Buffer> {
  const { route, caller } = call
  const accountId = caller.account.id
  const upstreamId = await parts.storedResponses.upstreamOf(accountId, route.responseId, parts.clock.now())
  const inUse = upstreamId === null ? undefined : parts.snapshot().upstreamsById.get(upstreamId)
  if (inUse === undefined) throw notStored(route)
  const answer = await answerOf(inUse, call, parts)
  if (!isGood(answer.status)) {
    if (answer.status === NOT_FOUND) throw notStored(route)
    const { status, restMs } = answer
    const { error, account } = refusalIn(answer, inUse, route)
    throw faultOfRefusal({ status, error: withoutSecretsIn(error, inUse.secrets), account, restMs })
  }
  if (route.method === 'DELETE') await parts.storedResponses.forget(accountId, route.responseId)
  return answer.body
}

const NOT_FOUND = 404

interface UpstreamAnswer {
  readonly status: number
  readonly body: Buffer
  readonly restMs: number | null
}

function refusalIn({ status, body }: UpstreamAnswer, { upstream }: UpstreamInUse, { wire }: StoredResponseRoute) {
  const error = protocolOf(wire).readError(body)
  return { error, account: accountFailureOf({ protocol: upstream.protocol, status, error }) }
}

type AskingParts = Pick<GatewayParts, 'forwardsAlso' | 'clock' | 'providerOrgs'>

/**
 * Where a credential is refused, the next one is asked, which may be done for every method: what was refused was not carried
 * out. It holds no credential: a provider may let one answer for models and not read what is stored. Where it is not known which
 * organisation created it, as after a restart, and one says that it has none, another is asked.
 */
async function answerOf(inUse: UpstreamInUse, call: StoredResponseCall, parts: AskingParts): Promise<UpstreamAnswer> {
  const over = new AbortController()
  const late = wait(STORED_RESPONSE_ANSWER_MS, null, { signal: AbortSignal.any([over.signal, call.gone]) }).catch(
    () => null,
  )
  try {
    const { credentials, isOrgKnown } = credentialsFor(inUse, call, parts)
    const lacking = new Set<string>()
    let found: UpstreamAnswer | null = null
    let asked = 0
    for (const each of credentials) {
      const providerOrg = providerOrgOf(inUse.upstream.id, each.credential)
      if (lacking.has(providerOrg)) continue
      if (asked++ === STORED_RESPONSE_CREDENTIALS_LIMIT) break
      const answer = await answerWith(each, { call, parts, late })
      const isMissing = answer.status === NOT_FOUND && !isOrgKnown
      if (isMissing) lacking.add(providerOrg)
      // An organisation that could not be asked may keep it, whatever the others say.
      if (found === null || !isMissing) found = answer
      if (!isMissing && !isOfCredential(answer, inUse, call.route)) break
    }
    invariant(found !== null, 'there is a credential to ask with')
    return found
  } finally {
    over.abort()
  }
}

function isOfCredential(answer: UpstreamAnswer, inUse: UpstreamInUse, route: StoredResponseRoute): boolean {
  if (isGood(answer.status)) return false
  return answer.status === UNAUTHORIZED || refusalIn(answer, inUse, route).account === 'credential'
}

const UNAUTHORIZED = 401

interface UpstreamQuestion {
  readonly call: StoredResponseCall
  readonly parts: AskingParts
  /** Resolves when there is no time left, or the client is gone. */
  readonly late: Promise<null>
}

async function answerWith(
  { client }: Pick<CredentialInUse, 'client'>,
  { call, parts, late }: UpstreamQuestion,
): Promise<UpstreamAnswer> {
  const running = new Set<UpstreamExchange>()
  const answered = new Promise<UpstreamAnswer>((resolve, reject) => {
    const bytes = new CollectedBytes()
    let head = { status: 0, restMs: null as number | null }
    const { route, rawHeaders, requestId, query } = call
    const request = {
      method: route.method,
      path: route.upstreamPath + query,
      headers: forwardedHeaders(rawHeaders, { requestId, also: parts.forwardsAlso, body: null }),
      body: [],
      isFree: true,
    }
    const exchange = client.send(request, {
      onHead: (status, headers) => {
        head = { status, restMs: askedRestMs(status, headers, parts.clock.now()) }
      },
      onData: (chunk) => {
        if (!bytes.add(chunk, ANSWER_LIMIT_BYTES)) reject(new Fault('upstream_malformed', TOO_LARGE))
      },
      onEnd: () => {
        running.clear()
        resolve({ ...head, body: bytes.whole() })
      },
      onFailure: (fault) => {
        running.clear()
        reject(fault)
      },
    })
    running.add(exchange)
  })
  try {
    const answer = await Promise.race([answered, late])
    if (answer === null) throw new Fault('upstream_timeout', 'The model’s provider did not answer in time. Try again.')
    return answer
  } catch (error) {
    throw asFault(error)
  } finally {
    for (const exchange of running) exchange.abort()
    answered.catch(() => {})
  }
}

/**
 * The credentials of the organisation that created it, as far as this process knows: first the one that it was created with.
 * Else all. Throws the Fault of their rest where none may be asked.
 */
function credentialsFor(
  { upstream, pool }: UpstreamInUse,
  { route, caller }: StoredResponseCall,
  { providerOrgs, clock }: Pick<GatewayParts, 'providerOrgs' | 'clock'>,
): { readonly credentials: readonly CredentialInUse[]; readonly isOrgKnown: boolean } {
  const now = clock.elapsed()
  const made = fingerprintOf(route.responseId)
  const providerOrg = providerOrgs.providerOrgOf(made, now)
  const madeWith = providerOrgs.credentialOf(made, now)
  const withinOrg = pool.filter(({ credential }) => providerOrgOf(upstream.id, credential) === providerOrg)
  const choice = chooseCredential(withinOrg.length > 0 ? withinOrg : pool, {
    now,
    callerId: caller.account.id,
    isFirst: ({ credential }) => credential !== null && credential.name === madeWith,
  })
  if (choice.kind === 'rest') throw faultOfRest(choice.because, choice.at - now)
  return { credentials: choice.credentials, isOrgKnown: withinOrg.length > 0 }
}

const TOO_LARGE = 'The stored response is larger than this gateway carries.'

/** The Fault has the same words for every reason: which responses others have is not to be learned from them. */
function notStored({ responseId }: StoredResponseRoute): Fault {
  return new Fault(
    'path_unknown',
    `There is no response ${responseId} for this account: its upstream does not keep it, or it was made by another account, more than 30 days ago, or with another provider’s API. Send the conversation again with POST /v1/responses.`,
  )
}
