import { setTimeout as wait } from 'node:timers/promises'
import type { KeyWithOwner } from '../../access/api-key.ts'
import { CollectedBytes } from '../../core/collected-bytes.ts'
import { Fault } from '../../core/faults.ts'
import { ANSWER_LIMIT_BYTES, STORED_RESPONSE_ANSWER_MS } from '../../core/limits.ts'
import { fingerprintOf } from '../../protocols/bound-content.ts'
import { protocolOf } from '../../protocols/protocol-of.ts'
import { realmOf } from '../../routing/realm.ts'
import type { UpstreamClient, UpstreamExchange } from '../../upstreams/upstream-client.ts'
import type { StoredResponseRoute } from '../arrival/stored-paths.ts'
import { forwardedHeaders } from '../choice/forwarded-headers.ts'
import type { GatewayParts } from '../parts.ts'
import { beginFree } from './free-use.ts'
import { statedRestMs } from '../../routing/stated-rest.ts'
import type { UpstreamInUse } from '../snapshot.ts'
import { asFault, faultOfRefusal, isGood, withoutSecretsIn } from '../upstream-faults.ts'

/** What is asked of a stored response, with the client's query and headers. */
export interface StoredResponseCall {
  readonly route: StoredResponseRoute
  readonly caller: KeyWithOwner
  readonly requestId: string
  /** With its question mark; empty when there is none. */
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
  const end = beginFree(caller, parts, 'counts as a request')
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
  const { status, body, restMs } = await answerOf(inUse, call, parts)
  if (!isGood(status)) {
    if (status === NOT_FOUND) throw notStored(route)
    const error = withoutSecretsIn(protocolOf(route.wire).readError(body), inUse.secrets)
    throw faultOfRefusal({ status, error, restMs })
  }
  if (route.method === 'DELETE') await parts.storedResponses.forget(accountId, route.responseId)
  return body
}

const NOT_FOUND = 404

interface UpstreamAnswer {
  readonly status: number
  readonly body: Buffer
  readonly restMs: number | null
}

async function answerOf(
  inUse: UpstreamInUse,
  call: StoredResponseCall,
  parts: Pick<GatewayParts, 'forwardsAlso' | 'clock' | 'realms'>,
): Promise<UpstreamAnswer> {
  const over = new AbortController()
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
    const exchange = clientFor(inUse, route.responseId, parts).send(request, {
      onHead: (status, headers) => {
        head = { status, restMs: statedRestMs(headers, parts.clock.now()) }
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
  const signal = AbortSignal.any([over.signal, call.gone])
  const late = wait(STORED_RESPONSE_ANSWER_MS, null, { signal }).catch(() => null)
  try {
    const answer = await Promise.race([answered, late])
    if (answer === null) throw new Fault('upstream_timeout', 'The model’s provider did not answer in time. Try again.')
    return answer
  } catch (error) {
    throw asFault(error)
  } finally {
    over.abort()
    for (const exchange of running) exchange.abort()
    answered.catch(() => {})
  }
}

/** With a credential of the realm that made it, as far as this process knows. */
function clientFor(
  { upstream, pool, client }: UpstreamInUse,
  responseId: string,
  { realms, clock }: Pick<GatewayParts, 'realms' | 'clock'>,
): UpstreamClient {
  const realm = realms.realmOf(fingerprintOf(responseId), clock.elapsed())
  const enabled = pool.filter(({ isDisabled }) => !isDisabled)
  const inRealm = enabled.find(({ credential }) => realmOf(upstream.id, credential) === realm)
  return (inRealm ?? enabled[0])?.client ?? client
}

const TOO_LARGE = 'The stored response is larger than this gateway carries.'

/** The same words whatever the reason is: which responses others have is not to be learned from them. */
function notStored({ responseId }: StoredResponseRoute): Fault {
  return new Fault(
    'path_unknown',
    `There is no response ${responseId} for this account: its upstream does not keep it, or it was made by another account, more than 30 days ago, or with another provider’s API. Send the conversation again with POST /v1/responses.`,
  )
}
