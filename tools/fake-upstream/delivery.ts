/** Carries a plan out on one response: writes, pauses, backpressure, the ending, and what came of it. */
import type { ServerResponse } from 'node:http'
import type { OpenCall, Outcome } from './books.ts'
import type { Plan, Write } from './plan.ts'
import { stamped } from './time-stamp.ts'

export interface Receiver {
  /** Flat list of names and values that differ from request to request. */
  readonly idHeaders: readonly string[]
  readonly call: OpenCall
  /** Called once, when nothing more will happen on this response. */
  closed(outcome: Outcome): void
}

/** Starts to answer; returns at once. Everything it waits for ends with the response's `close`. */
export function deliver(response: ServerResponse, plan: Plan, receiver: Receiver): void {
  const { writes, pace, ending } = plan
  const { socket } = response
  let next = 0
  let timer: NodeJS.Timeout | undefined
  let cut = false
  let inChunks = false

  const destroy = (): void => {
    cut = true
    response.destroy()
  }
  const pause = (ms: number, then: () => void): void => {
    if (ms > 0) timer = setTimeout(then, ms)
    else setImmediate(then)
  }
  const step = (): void => {
    if (response.destroyed) return
    const write = writes[next]
    if (write === undefined) {
      if (ending === 'hold') timer = setTimeout(destroy, pace.holdMs)
      return
    }
    const isFirst = !response.headersSent
    // The head leaves in one packet with the first bytes.
    if (isFirst) socket?.cork()
    if (isFirst) sendHead()
    send(write)
    if (isFirst) socket?.uncork()
  }
  const sendHead = (): void => {
    response.writeHead(plan.status, [...plan.headers, ...receiver.idHeaders])
    if (!plan.framed) return
    response.flushHeaders()
    // False over HTTP/1.0, which has no chunks.
    inChunks = response.chunkedEncoding
    response.chunkedEncoding = false
  }
  const send = (write: Write): void => {
    next++
    receiver.call.wrote(write)
    const planned = inChunks ? write.chunk : write.bytes
    const bytes = pace.stamped ? stamped(planned) : planned
    const isLast = next === writes.length
    if (isLast && ending === 'end') response.end(bytes)
    else if (isLast && ending === 'cut') response.write(bytes, destroy)
    else if (response.write(bytes)) pause(pace.delayMs, step)
    else response.once('drain', () => pause(pace.delayMs, step))
  }

  response.once('close', () => {
    clearTimeout(timer)
    if (response.writableFinished && plan.closesConnection) socket?.end()
    const outcome = outcomeOf(response, { cut, whole: plan.whole })
    receiver.call.close(outcome)
    receiver.closed(outcome)
  })
  // A client that leaves while something is being written to it: `close` follows.
  response.once('error', () => undefined)
  if (pace.earlyHeaders) {
    sendHead()
    response.flushHeaders()
  }
  if (pace.firstDelayMs > 0) pause(pace.firstDelayMs, step)
  else step()
}

function outcomeOf(response: ServerResponse, plan: { readonly cut: boolean; readonly whole: boolean }): Outcome {
  if (plan.cut) return 'failed'
  if (!response.writableFinished) return 'aborted'
  return plan.whole ? 'completed' : 'failed'
}
