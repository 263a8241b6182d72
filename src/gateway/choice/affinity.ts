import type { IncomingHttpHeaders } from 'node:http'
import { isChatWire, type Wire } from '../../core/wire.ts'
import { conversationIn } from '../../protocols/conversation.ts'
import type { RequestHead } from '../../protocols/protocol.ts'
import { affinityHash, affinityOfBytes } from '../../routing/equals.ts'
import type { Snapshot } from '../snapshot.ts'
import type { ChosenModel } from '../request/prepared.ts'

/** Headers in which clients name a session: ours, Codex's, and those that opencode, Kilo Code and xAI's clients send. */
const HEADERS = [
  'x-tollgate-session',
  'session_id',
  'session-id',
  'conversation_id',
  'x-session-id',
  'x-session-affinity',
  'x-grok-conv-id',
] as const
const NAME_CHARACTERS = 256

/**
 * A number that the requests of one conversation of one account have in common, so that they go to one target and find its
 * cache warm; null: any target is as good, because there is one with one credential, or because a cached read costs as much there and
 * no upstream is said to keep what it has read.
 */
export function affinityOf(
  chosen: ChosenModel,
  about: {
    readonly accountId: string
    readonly wire: Wire
    readonly headers: IncomingHttpHeaders
    readonly body: Buffer
    /** The conversation that the request's head names. */
    readonly conversation: RequestHead['conversation']
    readonly snapshot: Snapshot
  },
): number | null {
  if (!hasChoice(chosen, about.snapshot) || !isChatWire(about.wire)) return null
  if (!isCheaperCached(chosen) && !keepsPrefixes(chosen, about.snapshot)) return null
  const { accountId, body, conversation } = about
  const session = sessionIn(about.headers)
  if (session !== null) return affinityHash(`${accountId}\n${session}`)
  const found = conversation === undefined ? null : conversationIn(body, conversation)
  if (found === null) return null
  if ('name' in found) return affinityHash(`${accountId}\n${found.name}`)
  return affinityOfBytes(affinityHash(`${accountId}\n`), body, found.beginnings)
}

/** There is more than one target, or more than one credential for it. */
function hasChoice({ targets: [first, second] }: ChosenModel, { upstreamsById }: Snapshot): boolean {
  if (first === undefined || second !== undefined) return second !== undefined
  return (upstreamsById.get(first.upstreamId)?.pool.length ?? 0) > 1
}

function isCheaperCached({ prices: { cacheRead, input } }: ChosenModel): boolean {
  return cacheRead !== null && input !== null && cacheRead < input
}

/** An admin says so of one of the upstreams: a self-hosted model answers sooner where it has read the conversation before. */
function keepsPrefixes({ targets }: ChosenModel, { upstreamsById }: Snapshot): boolean {
  for (const { upstreamId } of targets) {
    if (upstreamsById.get(upstreamId)?.upstream.passage?.keepsPrefixes === true) return true
  }
  return false
}

function sessionIn(headers: IncomingHttpHeaders): string | null {
  for (const name of HEADERS) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return `${name}: ${value.slice(0, NAME_CHARACTERS)}`
  }
  return null
}
