import { type ClientRequest, type ClientResponse, type GatewayListener, onceClosed } from './client-connection.ts'
import { hasNumberBehind } from '../access/imported-keys.ts'
import { Fault } from '../core/faults.ts'
import { familyOf, type WireFamily } from '../core/wire.ts'
import { accountLimitsAt } from '../entitlement/account-limits.ts'
import { strictestLimits } from '../metering/limits/strictest-limits.ts'
import { faultStatus } from '../protocols/fault-body.ts'
import type { RequestAbout } from '../protocols/protocol.ts'
import { ClientAnswer } from './answer/client-answer.ts'
import { type Cached, cachedRequest } from './cache/cached-request.ts'
import { giveAgain } from './cache/give-again.ts'
import { Exchange } from './exchange/exchange.ts'
import { shownCap } from './exchange/shown-cap.ts'
import { presentedSecret } from './callers/caller.ts'
import type { FailedTry } from './callers/failed-auth-log.ts'
import { Gate } from './arrival/gate.ts'
import { refuseArrayStream } from './arrival/gemini-paths.ts'
import { beginFree } from './lookups/free-use.ts'
import { answerClaude } from './lookups/claude-code.ts'
import { answerCount } from './lookups/token-count.ts'
import { answerModels } from './lookups/model-answers.ts'
import { requestEnded } from './request-ended.ts'
import { unserved } from './request-figures.ts'
import type { GatewayParts } from './parts.ts'
import { familyOfPath, recognise, type Recognised, type GatewayRoute } from './arrival/paths.ts'
import { prepare } from './arrival/prepare.ts'
import { providerCatalogue } from './lookups/provider-catalogue.ts'
import { askForStored } from './lookups/stored-response.ts'
import type { StoredResponseRoute } from './arrival/stored-paths.ts'
import { findReceipt } from './lookups/receipt.ts'
import { type RequestTrace } from './request/trace.ts'
import { answerBalance } from './lookups/balance-read-out.ts'
import { balanceForm } from './balance-paths.ts'
import { answerUsage } from './lookups/usage-answer.ts'
import { asFault } from './upstream-faults.ts'
import type { PreparedRequest } from './request/prepared.ts'
import { clientName, recordOf, withoutCost } from './request/record.ts'

/** The data plane as one listener: it answers every request it is given, and never throws. */
export function createGateway(parts: GatewayParts): GatewayListener {
  return (request, response) => {
    const nowMs = parts.clock.now()
    const requestId = parts.newRequestId(nowMs)
    const path = pathOf(request.url)
    const hasAnthropicVersion = hasVersionOfAnthropic(request)
    const startedAt = parts.clock.elapsed()
    const arrival: Arrival = { request, response, requestId, nowMs, startedAt, hint: null }
    let recognised: Recognised
    try {
      const method = request.method ?? ''
      const form = parts.saysBalances?.() === true ? balanceForm(method, path) : null
      recognised =
        form === null
          ? recognise(method, path, parts.originOf(request))
          : { route: { kind: 'balance', form }, meantBasePath: null }
    } catch (error) {
      const family = familyOfPath(path, hasAnthropicVersion)
      refuse(parts, { arrival, answer: answerTo(parts, arrival, family), error })
      parts.figures.refusedPath(asFault(error).code)
      if (error instanceof Fault) recordUnknownPath(parts, { ...triedBy(arrival), wire: null, family }, error)
      return
    }
    const { route, meantBasePath } = recognised
    arrival.hint = meantBasePath === null ? suffixHint(request, parts) : parts.originOf(request) + meantBasePath
    parts.running
      .arrive(() => serve(parts, arrival, route))
      .catch((error: unknown) => {
        const family = familyOfRoute(route, hasAnthropicVersion)
        refuse(parts, { arrival, answer: answerTo(parts, arrival, family), error })
        if (error instanceof Fault) recordFailedKey(parts, { ...triedBy(arrival), wire: null, family }, error)
      })
  }
}

/** One request as it came in. */
interface Arrival {
  readonly request: ClientRequest
  readonly response: ClientResponse
  readonly requestId: string
  readonly nowMs: number
  readonly startedAt: number
  /** The base URL that was meant, or what else its answer says beside; null: nothing. */
  hint: string | null
}

/** The hint for an imported key with a number after it, which meant something to the gateway it came from. */
function suffixHint({ headers }: Arrival['request'], { callers }: GatewayParts): string | null {
  if (callers.hasImportedKeys?.() !== true) return null
  const secret = presentedSecret(headers)
  return secret !== null && hasNumberBehind(secret) ? 'the number behind the key is ignored' : null
}

function serve(parts: GatewayParts, arrival: Arrival, route: GatewayRoute): Promise<void> {
  switch (route.kind) {
    case 'models':
    case 'model':
      return serveModels(parts, arrival, route)
    case 'catalogue':
      return serveCatalogue(parts, arrival)
    case 'usage':
    case 'balance':
    case 'receipt':
      return serveBooks(parts, arrival, route)
    case 'claude_usage':
    case 'managed_settings':
    case 'telemetry':
      return serveClaude(parts, arrival, route)
    case 'stored_response':
      return serveStored(parts, arrival, route)
    case 'generate':
    case 'count_tokens':
      return serveExchange(parts, arrival, route)
  }
}

function answerTo(parts: GatewayParts, arrival: Arrival, family: WireFamily): ClientAnswer {
  const { response, requestId, hint } = arrival
  const { clock, maintenance } = parts
  return new ClientAnswer(response, { requestId, family, hint, clock, maintenance })
}

async function serveModels(
  parts: GatewayParts,
  arrival: Arrival,
  route: Extract<GatewayRoute, { kind: 'models' | 'model' }>,
): Promise<void> {
  const { request } = arrival
  const caller = await new Gate(parts, request, { purpose: 'look_up' }).enter()
  const nowMs = parts.clock.now()
  const family = familyOfRoute(route, hasVersionOfAnthropic(request))
  const query = new URLSearchParams(queryOf(request.url))
  answerTo(parts, arrival, family).own(
    answerModels(route, { caller, snapshot: parts.snapshot(), family, query, nowMs }),
  )
}

/** Lists what is open to all accounts where no key is sent; a key that is sent has to be right. */
async function serveCatalogue(parts: GatewayParts, arrival: Arrival): Promise<void> {
  const { request } = arrival
  const gate = new Gate(parts, request, { purpose: 'look_up' })
  gate.refuseIfClosed()
  const caller = presentedSecret(request.headers) === null ? null : await gate.enter()
  const nowMs = parts.clock.now()
  const answer = answerTo(parts, { ...arrival, hint: null }, 'openai')
  answer.json(200, providerCatalogue({ caller, snapshot: parts.snapshot(), origin: parts.originOf(request), nowMs }))
}

/** What a key used and what it paid. Nothing is spent by looking, so a key that has expired may look as well. */
async function serveBooks(
  parts: GatewayParts,
  arrival: Arrival,
  route: Extract<GatewayRoute, { kind: 'usage' | 'balance' | 'receipt' }>,
): Promise<void> {
  const { request } = arrival
  const caller = await new Gate(parts, request, { purpose: 'read_books' }).enter()
  const answer = answerTo(parts, arrival, familyOfRoute(route, hasVersionOfAnthropic(request)))
  if (route.kind === 'usage') return answer.json(200, await answerUsage(caller, parts, parts.clock.now()))
  if (route.kind === 'balance') {
    return answer.json(200, await answerBalance(route.form, caller, { parts, nowMs: parts.clock.now() }))
  }
  const { kind, body } = await findReceipt(route.requestId, caller, parts)
  answer.json(kind === 'ended' ? 200 : 202, body)
}

/** What a signed-in Claude Code asks for beside models. */
async function serveClaude(
  parts: GatewayParts,
  arrival: Arrival,
  route: Extract<GatewayRoute, { kind: 'claude_usage' | 'managed_settings' | 'telemetry' }>,
): Promise<void> {
  const { request } = arrival
  const caller = await new Gate(parts, request, { purpose: 'look_up' }).enter()
  await answerClaude(route.kind, caller, { parts, request, answer: answerTo(parts, arrival, 'anthropic') })
}

/** Nothing is generated and nothing spent, but an upstream is asked, so it takes a key that may call. */
async function serveStored(parts: GatewayParts, arrival: Arrival, route: StoredResponseRoute): Promise<void> {
  const { request, response, requestId } = arrival
  const caller = await new Gate(parts, request, { purpose: 'call' }).enter()
  const gone = new AbortController()
  onceClosed(response, () => gone.abort())
  const query = harmlessQuery(request.url)
  const { rawHeaders } = request
  const body = await askForStored({ route, caller, requestId, query, rawHeaders, gone: gone.signal }, parts)
  answerTo(parts, arrival, familyOf(route.wire)).own(body)
}

type ExchangeRoute = Extract<GatewayRoute, { kind: 'generate' | 'count_tokens' }>

async function serveExchange(parts: GatewayParts, arrival: Arrival, route: ExchangeRoute): Promise<void> {
  const { request, response } = arrival
  const trace = traceOf(parts, arrival, route)
  const upstreamPath = route.upstreamPath + harmlessQuery(request.url)
  const answer = answerTo(parts, arrival, familyOf(route.wire))
  let prepared: PreparedRequest
  let endFree = (): void => {}
  try {
    if (route.wantsEventStream === true) refuseArrayStream(queryOf(request.url))
    const isFree = route.kind === 'count_tokens'
    // Another wire's upstream would answer the request instead of counting its tokens.
    const isSameWireOnly = isFree || route.isSameWireOnly === true
    prepared = await prepare(request, trace, {
      parts,
      target: { isFree, isSameWireOnly, upstreamPath, fromPath: fromPath(route) },
      hasLeft: () => response.destroyed,
    })
    if (isFree) endFree = await beginFree(prepared.caller, parts, 'runs at once with others')
  } catch (error) {
    capture(trace, answer, response)
    if (trace.caller?.key.device !== undefined) answer.ofDevice()
    if (route.kind === 'generate') setLimitHeaders(parts, answer, trace)
    if (route.kind === 'generate') countRefusal(parts, { trace, error, hasLeft: response.destroyed })
    if (error instanceof Fault && route.kind === 'generate') recordRefusal(parts, trace, error)
    const { wire } = route
    if (error instanceof Fault) recordFailedKey(parts, { ...triedBy(arrival), wire, family: familyOf(wire) }, error)
    return refuse(parts, { arrival, answer, error })
  }
  capture(trace, answer, response)
  if (prepared.caller.key.device !== undefined) {
    answer.ofDevice()
    answer.capped(() => shownCap(prepared, trace, parts))
  }
  if (route.kind === 'generate') setLimitHeaders(parts, answer, trace)
  else onceClosed(response, endFree)
  const answerLocally =
    route.kind === 'count_tokens' ? () => void answerCount(familyOf(route.wire), { parts, prepared, answer }) : null
  if (answerLocally !== null && prepared.chosen.targets.length === 0) return answerLocally()
  const cached = cachedOf(parts, { prepared, request, upstreamPath })
  if (cached !== null) {
    const result = 'kept' in cached ? 'hit' : 'miss'
    answer.cache(result)
    parts.figures.lookedUp(result)
  }
  const context = { parts, prepared, trace, answer, headers: request.headers, answerLocally }
  if (cached !== null && 'kept' in cached) return giveAgain(context, cached.kept, response.destroyed)
  const exchange = new Exchange(cached === null ? context : { ...context, recording: cached.recording })
  if (response.destroyed) {
    exchange.clientGone()
    return
  }
  response.on('close', () => exchange.clientGone())
  exchange.start()
}

/** Records what a captured request gets, with what it sent. Nearly no request is captured. */
function capture(trace: RequestTrace, answer: ClientAnswer, response: ClientResponse): void {
  if (trace.capture === null) return
  answer.captureBy(trace.capture)
  trace.capture.storeAfter(response)
}

/** null for nearly all requests: those of groups that keep no answers. */
function cachedOf(
  { responseCache: cache, forwardsAlso }: GatewayParts,
  of: { prepared: PreparedRequest; request: ClientRequest; upstreamPath: string },
): Cached | null {
  const { prepared, request, upstreamPath } = of
  if (prepared.chosen.group.cache === undefined) return null
  return cachedRequest(prepared, { cache, headers: request.headers, upstreamPath, forwardsAlso })
}

function fromPath({ model, isStream }: { model?: string; isStream?: boolean }): RequestAbout['fromPath'] {
  return model === undefined ? undefined : { model, isStream: isStream === true }
}

function traceOf(parts: GatewayParts, arrival: Arrival, { kind, wire }: ExchangeRoute): RequestTrace {
  const { requestId: id, nowMs: createdAt, startedAt } = arrival
  const observer = kind === 'generate' ? parts.observer : null
  const observed = observer?.arrived({ createdAt, startedAt, wire }, traceparentOf(arrival.request)) ?? null
  return {
    id,
    createdAt,
    startedAt,
    wire,
    client: clientName(arrival.request.headers['user-agent']),
    caller: null,
    model: null,
    isStream: false,
    chosen: null,
    attempts: [],
    credentialName: null,
    routing: null,
    target: null,
    firstByteAt: null,
    bodyMs: 0,
    upstreamMs: 0,
    observed,
    capture: null,
    limits: null,
  }
}

function traceparentOf({ headers: { traceparent } }: ClientRequest): string | undefined {
  return typeof traceparent === 'string' ? traceparent : undefined
}

/** Token counts count against no limit, and so carry no limit headers. */
function setLimitHeaders(parts: GatewayParts, answer: ClientAnswer, trace: RequestTrace): void {
  const { caller } = trace
  if (caller === null || (caller.key.rateLimit === null && caller.limiting === undefined)) return
  const { key, account } = caller
  const atMs = parts.clock.now()
  const limits = accountLimitsAt(caller, atMs)
  const ofAccount = parts.keyLimits.states({ id: account.id, rateLimit: limits })
  const states = strictestLimits(parts.keyLimits.states(key), ofAccount)
  answer.limits(states, atMs)
  trace.limits = { states, atMs }
}

function countRefusal(parts: GatewayParts, what: { trace: RequestTrace; error: unknown; hasLeft: boolean }): void {
  const { trace, error, hasLeft } = what
  const { groupsById, modelsByName } = parts.snapshot()
  const group = trace.caller === null ? undefined : groupsById.get(trace.caller.key.groupId)
  const isRefused = error instanceof Fault
  const outcome = isRefused ? 'refused' : hasLeft ? 'aborted' : 'failed'
  const fault = isRefused ? error.code : hasLeft ? null : 'internal'
  // Also where no group serves it, or not at this endpoint.
  const chosen = trace.chosen ?? unserved(group, trace.model === null ? undefined : modelsByName.get(trace.model))
  const httpStatus = isRefused ? faultStatus(familyOf(trace.wire), error) : null
  const ending = { outcome, fault, httpStatus } as const
  requestEnded(parts, trace, { ending, endedAt: parts.clock.elapsed(), countedAs: chosen })
}

function recordRefusal(parts: GatewayParts, trace: RequestTrace, fault: Fault): void {
  if (trace.caller === null) return
  const ending = withoutCost('refused', fault, faultStatus(familyOf(trace.wire), fault))
  const group = parts.snapshot().groupsById.get(trace.caller.key.groupId)
  parts.refusals.write(recordOf(trace, trace.caller, { ending, endedAt: parts.clock.elapsed(), group }))
}

function triedBy({ requestId, nowMs, startedAt, request }: Arrival): Omit<FailedTry, 'wire' | 'family'> {
  return { id: requestId, createdAt: nowMs, startedAt, request }
}

/** No request waits for these two, and they never reject. */
function recordFailedKey(parts: GatewayParts, failed: FailedTry, fault: Fault): void {
  void parts.failedAuth.wrongKey(failed, fault, parts.addressOf(failed.request))
}

function recordUnknownPath(parts: GatewayParts, failed: FailedTry, fault: Fault): void {
  void parts.failedAuth.wrongPath(failed, fault, parts.addressOf(failed.request))
}

function refuse(parts: GatewayParts, what: { arrival: Arrival; answer: ClientAnswer; error: unknown }): void {
  const { arrival, answer, error } = what
  const { response, requestId } = arrival
  const fault = asFault(error)
  const isOurs = fault.policy.blame !== 'client' && fault.cause !== undefined
  if (isOurs && !response.destroyed) parts.log.failure(fault.code, { requestId, error: fault.cause })
  if (response.headersSent) response.destroy()
  else answer.fault(fault)
}

function hasVersionOfAnthropic(request: ClientRequest): boolean {
  return request.headers['anthropic-version'] !== undefined
}

function familyOfRoute(route: GatewayRoute, hasAnthropicVersion: boolean): WireFamily {
  if ('family' in route && route.family !== undefined) return route.family
  if ('wire' in route) return familyOf(route.wire)
  return hasAnthropicVersion ? 'anthropic' : 'openai'
}

function pathOf(url: string | undefined): string {
  if (url === undefined) return '/'
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** Credentials are never taken from a query string; one that a client put there by mistake must not travel on either. */
const CREDENTIAL_PARAMETERS = /^(?:key|api[-_]?key|access[-_]?token|token)$/i

function harmlessQuery(url: string | undefined): string {
  const query = queryOf(url)
  if (query === '') return ''
  const kept = [...new URLSearchParams(query)].filter(([name]) => !CREDENTIAL_PARAMETERS.test(name))
  return kept.length === 0 ? '' : '?' + new URLSearchParams(kept).toString()
}

/** The query with its question mark; empty when there is none. */
function queryOf(url: string | undefined): string {
  const start = url?.indexOf('?') ?? -1
  return start === -1 ? '' : (url ?? '').slice(start)
}
