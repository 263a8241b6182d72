import { Server as NetServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/log.ts'
import { plainFault } from '../../core/plain-fault.ts'
import type { Front } from './http-server.ts'
import type { JoinedNode } from './join-node.ts'

/** What is left to settle when the last stream has ended gets this long. */
export const LAST_SETTLES_MS = 10_000
/** So long a connection is kept for a last request after the listening socket has closed, or after its last answer. */
const LINGER_MS = 1_000
/** How long it is kept without a delay: a client that has just connected is about to send its request. */
const SHORT_LINGER_MS = 100
/** Answers that no model gives, such as lists and pages of the console, get so long. */
const ANSWERS_MS = 5_000
const LOOK_MS = 25
/** A turn of the event loop in which nothing happened takes less. */
const QUIET_TURN_MS = 0.2
const QUIET_WITHIN_MS = 500

export interface StoppingNode {
  readonly front: Front
  readonly node: Pick<JoinedNode, 'state' | 'parts'>
  readonly settings: { readonly drainMs: number }
  readonly clock: Clock
  readonly log: Pick<Logger, 'error'>
  /** Resolves after so many milliseconds; a test has its own. */
  pause?(ms: number): Promise<unknown>
}

/**
 * Stops serving in an order in which load balancers and clients lose no request (decision 0121). For `delayMs` it serves as ever,
 * but says that it is not ready, and with each answer that its connection closes. Then it stops listening, so that new
 * connections are refused before anything was sent, and what is under way has `drainMs` to end; a request on a connection that
 * is still there is served as well. Resolves when all is settled, or cannot be.
 */
export async function stopServing(stopping: StoppingNode, delayMs: number): Promise<void> {
  const { front, node, log, pause = setTimeout } = stopping
  const { state, parts } = node
  state.phase = 'leaving'
  front.announceClose()
  await pause(delayMs)
  await stopListening(front.server)
  await lastRequests(stopping, Math.max(SHORT_LINGER_MS, Math.min(delayMs, LINGER_MS)))
  state.phase = 'closed'
  parts.running.cut(() => plainFault('draining'))
  await parts.running.idle(LAST_SETTLES_MS)
  const isSettled = await parts.settleQueue.drain(LAST_SETTLES_MS)
  if (!isSettled) log.error({ unsettled: parts.settleQueue.length }, 'failed to store some settlements before the end')
  parts.settleQueue.close()
}

/** Resolves when nothing is under way or may come any more, or when the time for that is over. */
async function lastRequests({ front, node, settings, clock }: StoppingNode, lingerMs: number): Promise<void> {
  const { running } = node.parts
  const closedAt = clock.elapsed()
  for (;;) {
    const now = clock.elapsed()
    const { waiting, busy } = front.closeIdle(now < closedAt + lingerMs ? -Infinity : now - lingerMs)
    const isAnswered = busy === 0 || now >= closedAt + ANSWERS_MS
    if ((running.isIdle && waiting === 0 && isAnswered) || now >= closedAt + settings.drainMs) return
    await setTimeout(LOOK_MS)
  }
}

/**
 * Closes the listening socket alone. A connection that the system has taken and this process has not is reset by that, which
 * loses a POST that was sent on it already (benoitc/gunicorn#2409). So it happens right after a turn of the event loop that
 * found nothing to do: a client that connects in the instant between has not sent anything yet, and goes elsewhere.
 */
async function stopListening(server: NetServer): Promise<void> {
  const deadline = performance.now() + QUIET_WITHIN_MS
  let before = performance.now()
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve))
    const now = performance.now()
    if (now - before < QUIET_TURN_MS || now >= deadline) break
    before = now
  }
  // Node's HTTP server would close its idle connections as well, on which a request may be on its way.
  Reflect.apply(NetServer.prototype.close, server, [])
}
