/** The check after the rounds: requests asked, served by the upstream and recorded by the gateway must be the same number. */
import type { UpstreamSubject } from '../subjects/fake-upstream.ts'
import type { GatewaySubject } from '../subjects/gateway.ts'

export interface Books {
  /** Requests that the load made through the gateway, each answered in full. */
  readonly asked: number
  readonly recorded: number
  /** Requests of all subjects together. */
  readonly askedOfAll: number
  readonly servedByUpstream: number
  readonly agree: boolean
}

/** Rejects with what `check-ledger` says when it finds the books broken, or names no count. */
export async function checkBooks(
  gateway: GatewaySubject,
  upstream: UpstreamSubject,
  asked: { readonly gateway: number; readonly all: number },
): Promise<Books> {
  const { exitCode, output } = await gateway.checkLedger()
  if (exitCode !== 0) throw new Error(`check-ledger exits with ${exitCode}:\n${output}`)
  const recorded = readRecordCount(output)
  const response = await fetch(`http://127.0.0.1:${upstream.port}/__stats?requests=0`)
  const stats = (await response.json()) as { readonly totals: { readonly completed: number } }
  const servedByUpstream = stats.totals.completed
  const agree = recorded === asked.gateway && servedByUpstream === asked.all
  return { asked: asked.gateway, recorded, askedOfAll: asked.all, servedByUpstream, agree }
}

/** The number of usage records in the output of `check-ledger`. Throws when it names none. */
export function readRecordCount(output: string): number {
  const count = /(\d+) usage records?/.exec(output)?.[1]
  if (count === undefined) throw new Error(`check-ledger names no number of usage records:\n${output}`)
  return Number(count)
}
