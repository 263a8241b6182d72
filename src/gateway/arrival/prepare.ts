import type { ClientRequest } from '../client-connection.ts'
import { Fault } from '../../core/faults.ts'
import { BODY_AT_ONCE_BYTES } from '../../core/limits.ts'
import { atOnce, inTurns } from '../../core/turns.ts'
import { type Wire, wireFacts } from '../../core/wire.ts'
import type { KeyWithOwner } from '../../access/api-key.ts'
import type { Reservation } from '../../metering/admission/reservation.ts'
import type { RequestAbout } from '../../protocols/protocol.ts'
import { protocolOf } from '../../protocols/protocol-of.ts'
import { type ReadHead, readHeadInSteps } from '../../protocols/read-head.ts'
import { Gate } from './gate.ts'
import { chooseModel, fallbackGroups } from '../choice/choose-model.ts'
import { affinityOf } from '../choice/affinity.ts'
import { withOwnStored } from '../choice/own-stored.ts'
import { admissionOf, outputHeld } from '../exchange/hold.ts'
import { orgBindingOf } from '../exchange/org-binding.ts'
import type { ChosenModel, OutputHold, PreparedRequest } from '../request/prepared.ts'
import type { GatewayParts } from '../parts.ts'
import { refuseUnpricedTerms, refuseUnpricedTools, withoutUnpriced, withToolsThatRun } from '../choice/unpriced.ts'
import { TargetAdapters } from '../choice/target-adapters.ts'
import { readBody } from './request-body.ts'
import type { RequestTrace } from '../request/trace.ts'

const NOTHING_HELD: OutputHold = { tokens: 0, input: 0, limit: null, trustsLimit: false }

/** What the request's path says of it. */
export interface RequestTarget {
  /** The request costs nothing, whatever comes of it. */
  readonly isFree: boolean
  /** Another wire's upstream would do something else. */
  readonly isSameWireOnly: boolean
  /** Where the client's own wire has it below an upstream's base URL, with the client's query. */
  readonly upstreamPath: string
  readonly fromPath?: RequestAbout['fromPath']
}

/**
 * Takes a request from its first header to its reservation, or rejects with the one Fault that stops it; nothing is held then.
 * `hasLeft`: whether its client has gone, which ends the reading of a large body. Fills in the trace on the way, so that a
 * refusal can be recorded with all that was known. Most requests have to wait for nothing here, and so each step is awaited
 * only where it is a promise: a turn for each would cost as much as the step.
 */
export async function prepare(
  request: ClientRequest,
  trace: RequestTrace,
  context: { parts: GatewayParts; target: RequestTarget; hasLeft: () => boolean },
): Promise<PreparedRequest> {
  const { parts, target, hasLeft } = context
  const { isSameWireOnly } = target
  const onFound = (found: KeyWithOwner): void => {
    // Found again, it may be captured by now: what has arrived before is not.
    const isFirst = trace.caller === null
    trace.caller = found
    if (isFirst && found.key.capture !== undefined) trace.capture = parts.captures?.begin(found, request, trace) ?? null
  }
  const gate = new Gate(parts, request, { purpose: 'call', onFound })
  const entering = gate.enter()
  let caller = entering instanceof Promise ? await entering : entering
  const { bodies, clock } = parts
  const readFrom = clock.elapsed()
  const reading = readBody(request, { caller, address: gate.address, bodies, elapsed: readFrom })
  const body = reading instanceof Promise ? await reading : reading
  trace.capture?.read(body)
  if (reading instanceof Promise) {
    trace.bodyMs = clock.elapsed() - readFrom
    caller = await gate.recheck(caller)
  }

  const asking = readRequest({ request, trace, parts, caller, address: gate.address, body, target, hasLeft })
  const asked = asking instanceof Promise ? await asking : asking
  if (target.isFree) return { ...asked, caller, isSameWireOnly, reservation: null, hold: NOTHING_HELD }
  const nowMs = parts.clock.now()
  const { heldInputTokens, heldOutputTokens } = parts
  const ignoresLimits = parts.ignoredLimits.mayPass(asked.chosen.targets, { isStream: asked.head.stream })
  const holdingBy = { heldInputTokens, heldOutputTokens, ignoresLimits }
  const admission = admissionOf({ ...asked, caller }, { ...holdingBy, nowMs })
  let reservation: Reservation
  let hasWaited = asking instanceof Promise
  try {
    const admitting = parts.admission.admit(admission)
    hasWaited ||= admitting instanceof Promise
    reservation = admitting instanceof Promise ? await admitting : admitting
  } catch (error) {
    // What stood in its way may be another that was let in with it and is about to be refused, since the gateway closed.
    gate.refuseIfClosed()
    throw error
  }
  let hold: OutputHold
  try {
    // The database was asked, for money or for who owns what the request refers to.
    if (hasWaited) caller = await gate.recheck(caller)
    hold = outputHeld(asked, { held: reservation.amount, asked: admission.amount }, holdingBy)
    if (hold.limit !== null && !asked.adapters.limitOutput(hold.limit)) throw thinksForMore(reservation.lacks())
    if (hold.calls !== undefined) asked.adapters.limitCalls(hold.calls)
  } catch (error) {
    reservation.release('never_sent')
    throw error
  }
  return { ...asked, caller, isSameWireOnly, reservation, hold }
}

/** The fault of a request whose thinking may cost more than is left. */
function thinksForMore({ code, message, details }: Fault): Fault {
  return new Fault(code, `${message} Its thinking.budget_tokens have to be fewer.`, details)
}

type RoutedRequest = Pick<
  PreparedRequest,
  'body' | 'protocol' | 'head' | 'chosen' | 'snapshot' | 'adapters' | 'affinity' | 'binding'
>

/** A request whose body has come. */
interface AskedRequest {
  readonly request: ClientRequest
  readonly trace: RequestTrace
  readonly parts: GatewayParts
  readonly caller: KeyWithOwner
  readonly address: string
  readonly body: Buffer
  readonly target: RequestTarget
  readonly hasLeft: () => boolean
  /** Tools that the body had and that it goes without, by their paths; left out: none. */
  readonly leftOut?: readonly string[]
}

/** What is asked for, of which model, and how it may reach it. A large body is read in steps, so that others need not wait for it. */
function readRequest(asked: AskedRequest): RoutedRequest | Promise<RoutedRequest> {
  const { request, trace, parts, body, target, hasLeft } = asked
  const about = { contentType: request.headers['content-type'], fromPath: target.fromPath }
  const reading = readHeadInSteps(protocolOf(trace.wire), body, about)
  if (body.length <= BODY_AT_ONCE_BYTES) return route(atOnce(reading), asked)
  const giveBack = parts.bodies.keep(asked, body.length)
  return inTurns(reading, hasLeft)
    .then((read) => route(read, asked))
    .finally(giveBack)
}

/** How a request that was read may reach its model. */
function route({ head, bodyWire }: ReadHead, asked: AskedRequest): RoutedRequest | Promise<RoutedRequest> {
  const { parts, body, target, request, trace, caller, hasLeft, leftOut } = asked
  const { wire, id: requestId } = trace
  const protocol = protocolOf(wire)
  const { isFree, upstreamPath, isSameWireOnly } = target
  trace.model = head.model
  trace.isStream = head.stream
  const snapshot = parts.snapshot()
  const nowMs = parts.clock.now()
  const choice = { catalogue: snapshot, wire, nowMs, isSameWireOnly }
  const first = chooseModel(caller, head.model, choice)
  trace.chosen = first
  if (!isFree) refuseUnpricedTerms(head.terms, first)
  const { headers, rawHeaders } = request
  const { forwardsAlso, learnedRefusals, missingEndpoints } = parts
  const sentBy = { requestId, nowMs, rawHeaders, forwardsAlso, upstreamPath, isFree, leftOut }
  const carried = { ...sentBy, protocol, bodyWire, body, head, snapshot, learnedRefusals, missingEndpoints }
  const { kept } = head.outside
  const on = (chosen: ChosenModel, ofFirst: Fault | null = null): RoutedRequest | Promise<RoutedRequest> => {
    const adapters = new TargetAdapters({ ...carried, chosen })
    const choose = (): RoutedRequest | Promise<RoutedRequest> => {
      const refusal = isFree ? null : chosen.targets.length === 0 ? onlyInOwnWire(head.model, wire) : adapters.refusal()
      if (refusal !== null) {
        // Who may see what the request names was looked up for the targets of this group alone.
        const [next] = kept ? [] : fallbackGroups(caller, chosen, choice)
        if (next === undefined) throw ofFirst ?? refusal
        return on(next, ofFirst ?? refusal)
      }
      const sent = withToolsThatRun(head, chosen, { snapshot, adapters })
      if (!isFree && parts.unpricedTools === 'refuse') {
        const lean = leftOut === undefined ? withoutUnpriced(body, sent, chosen) : null
        if (lean !== null) return readRequest({ ...asked, body: lean.body, leftOut: lean.dropped })
        refuseUnpricedTools(sent.outside.tools, chosen)
      }
      trace.chosen = chosen
      const { conversation } = head
      const affinity = affinityOf(chosen, { accountId: caller.account.id, wire, headers, body, conversation, snapshot })
      const binding = orgBindingOf(chosen, { body, head, snapshot, now: parts.clock.elapsed() }, parts.providerOrgs)
      return { body, protocol, head: sent, snapshot, adapters, chosen, affinity, binding }
    }
    return body.length <= BODY_AT_ONCE_BYTES ? choose() : inTurns(adapters.readAhead(), hasLeft).then(choose)
  }
  if (!kept || parts.storedIds === 'any') return on(first)
  const isOwnOnly = parts.storedIds === 'own'
  const asker = { body, outside: head.outside, wire, caller, snapshot, nowMs, isOwnOnly }
  return withOwnStored(first, asker, parts.storedResponses).then((own) => on(own))
}

/** Models elsewhere have no such endpoint, and nothing that comes near it. */
function onlyInOwnWire(model: string, wire: Wire): Fault {
  const { endpoint, ownPaths = {} } = wireFacts(wire)
  const paths = Object.keys(ownPaths).map((path) => `POST ${path}`)
  return new Fault(
    'request_invalid',
    `The model "${model}" is not available at ${paths.join(', ')}, because its provider has no such endpoint. Call it at ${endpoint}.`,
    { param: 'model' },
  )
}
