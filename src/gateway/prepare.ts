import type { IncomingMessage } from 'node:http'
import type { KeyWithOwner } from '../access/api-key.ts'
import type { Reservation } from '../metering/reservation.ts'
import type { Protocol, RequestHead } from '../protocols/protocol.ts'
import { protocolOf } from '../protocols/protocol-of.ts'
import { payingSubscriptions } from '../access/subscription.ts'
import { findCaller } from './caller.ts'
import { chooseModel, type ChosenModel } from './choose-model.ts'
import { admissionOf } from './hold.ts'
import type { GatewayParts } from './parts.ts'
import { permit } from './permission.ts'
import { readBody } from './request-body.ts'
import type { RequestTrace } from './request-trace.ts'
import type { Snapshot } from './snapshot.ts'

/** A request that may be sent: who asks, for what, in which bytes, and the money that is held for it. */
export interface PreparedRequest {
  readonly caller: KeyWithOwner
  readonly protocol: Protocol
  readonly body: Buffer
  readonly head: RequestHead
  readonly chosen: ChosenModel
  readonly snapshot: Snapshot
  /** null: the request costs nothing, whatever comes of it. */
  readonly reservation: Reservation | null
}

/**
 * Takes a request from its first header to its reservation, or rejects with the one Fault that stops it; nothing is held
 * then. Fills in the trace on the way, so that a refusal can be recorded with all that was known.
 */
export async function prepare(
  request: IncomingMessage,
  trace: RequestTrace,
  context: { parts: GatewayParts; isFree: boolean },
): Promise<PreparedRequest> {
  const { parts } = context
  const address = parts.addressOf(request)
  refuseIfClosed(parts)
  let caller = await identify(request, trace, { parts, address })
  const body = await readBody(request, parts.bodies)
  // Much may have changed while the body was on its way.
  refuseIfClosed(parts)
  if (!parts.callers.ring.isCurrent(caller)) caller = await identify(request, trace, { parts, address })

  const protocol = protocolOf(trace.wire)
  const head = protocol.readRequest(body)
  trace.model = head.model
  trace.isStream = head.stream
  const snapshot = parts.snapshot()
  const chosen = chooseModel(caller, head.model, { snapshot, wire: trace.wire, nowMs: parts.clock.now() })
  trace.chosen = chosen
  if (context.isFree) return { caller, protocol, body, head, chosen, snapshot, reservation: null }
  const nowMs = parts.clock.now()
  const asked = admissionOf(
    { body, head, chosen, caller },
    {
      subscriptions: payingSubscriptions(caller, chosen.group.id, nowMs),
      heldOutputTokens: parts.heldOutputTokens,
      nowMs,
    },
  )
  let reservation: Reservation
  try {
    reservation = await parts.admission.admit(asked)
  } catch (error) {
    // What stood in its way may be another that was let in with it and is about to be refused, since the gateway closed.
    refuseIfClosed(parts)
    throw error
  }
  try {
    // And while the database was asked for money.
    refuseIfClosed(parts)
    if (!parts.callers.ring.isCurrent(caller)) caller = await identify(request, trace, { parts, address })
  } catch (error) {
    reservation.release('never_sent')
    throw error
  }
  return { caller, protocol, body, head, chosen, snapshot, reservation }
}

function refuseIfClosed(parts: GatewayParts): void {
  const closed = parts.closedBecause()
  if (closed !== null) throw closed
}

async function identify(
  request: IncomingMessage,
  trace: RequestTrace,
  context: { parts: GatewayParts; address: string },
): Promise<KeyWithOwner> {
  const caller = await findCaller(request, context.address, context.parts.callers)
  trace.caller = caller
  permit(caller, { address: context.address, nowMs: context.parts.clock.now() })
  return caller
}
