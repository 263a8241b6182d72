import { isDeepStrictEqual } from 'node:util'
import type { Conversation, Manner, RecordedServer, Seen } from './recorded-server.ts'

/** What one client does on one connection. */
export interface ClientCase {
  readonly pieces: readonly Buffer[]
  readonly manner: Manner
  /** Whether the server gets to work between two pieces, or has both at once. */
  readonly isSlow: boolean
}

/** A case in which a request or an answer differs, with what each server made of it. */
export interface Difference {
  readonly sent: string
  readonly manner: Manner
  readonly node: object
  readonly front: object
}

export interface Compared {
  readonly differences: Difference[]
  /** Requests that reached a handler, and those of them that the front read itself. */
  seen: number
  servedByFront: number
}

/**
 * Has both servers served the same clients, all at once, and compares what reached their handlers, what they answered and
 * whether they closed: while the clients stay, and when they have gone.
 */
export async function compare(
  cases: readonly ClientCase[],
  servers: { readonly node: RecordedServer; readonly front: RecordedServer },
): Promise<Compared> {
  const compared: Compared = { differences: [], seen: 0, servedByFront: 0 }
  const pairs = cases.map((one) => ({
    one,
    node: servers.node.open(one.manner),
    front: servers.front.open(one.manner),
    hasFailed: false,
  }))
  const look = (): void => {
    for (const pair of pairs) {
      if (pair.hasFailed || isAlike(pair.node, pair.front)) continue
      pair.hasFailed = true
      const sent = pair.one.pieces.map((piece) => piece.toString('latin1')).join('⏎')
      compared.differences.push({ sent, manner: pair.one.manner, node: shown(pair.node), front: shown(pair.front) })
    }
  }
  const most = Math.max(...cases.map(({ pieces }) => pieces.length))
  for (let at = 0; at < most; at++) {
    for (const { one, node, front } of pairs) {
      const pieces = one.isSlow ? one.pieces.slice(at, at + 1) : at === 0 ? one.pieces : []
      for (const piece of pieces) {
        push(node, piece)
        push(front, piece)
      }
    }
    await turns(TURNS)
  }
  look()
  for (const { node, front } of pairs) {
    push(node, null)
    push(front, null)
  }
  await turns(TURNS)
  look()
  for (const { node, front } of pairs) {
    compared.seen += front.seen.length
    compared.servedByFront += front.servedByFront
    for (const { socket } of [node, front]) socket.destroy()
  }
  await turns(2)
  return compared
}

function push({ socket }: Conversation, piece: Buffer | null): void {
  if (!socket.destroyed) socket.push(piece)
}

/** Enough for three requests that follow each other and are each answered a turn later. */
const TURNS = 12

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function isAlike(node: Conversation, front: Conversation): boolean {
  const [ofNode, ofFront] = [said(node), said(front)]
  const isSeenAlike = isDeepStrictEqual(node.seen, front.seen)
  if (isSeenAlike && isSaidAlike(ofNode, ofFront)) return isOver(node) === isOver(front)
  return isOver(node) && isOver(front) && isEndBeforeAnswers([node, ofNode], [front, ofFront])
}

/** Node writes the 100 of a request that was sent ahead between the head and the body of another answer; here it stands before. */
function isSaidAlike(ofNode: string, ofFront: string): boolean {
  return (
    ofNode === ofFront || (ofNode.length === ofFront.length && withoutContinue(ofNode) === withoutContinue(ofFront))
  )
}

function withoutContinue(text: string): string {
  return text.replaceAll('HTTP/1.1 100 Continue\r\n\r\n', '')
}

/**
 * Whether it is the only difference that is meant. Node reads what is sent ahead before it has answered what came first: where it refuses that
 * or closes, it does so at once, and the requests before it lose their answers, and bodies that were not read yet. The front
 * lets those be answered first.
 */
function isEndBeforeAnswers([node, ofNode]: [Conversation, string], [front, ofFront]: [Conversation, string]): boolean {
  const refusal = REFUSAL.exec(ofNode)?.[0] ?? ''
  const isPart = ofFront.endsWith(refusal) && ofFront.startsWith(ofNode.slice(0, ofNode.length - refusal.length))
  const isWithout = front.seen.map((seen, at) => (node.seen[at]?.body === null ? unread(seen) : seen))
  const isLost = node.seen.map((seen) => (seen.body === null ? unread(seen) : seen))
  return isPart && isDeepStrictEqual(isLost, isWithout)
}

function unread(seen: Seen): Seen {
  return { ...seen, body: null, isCut: false }
}

const REFUSAL = /HTTP\/1\.1 4\d\d Refused\r\n\r\n$/

function said({ socket }: Conversation): string {
  return socket.answer.replaceAll(/Date: [^\r]*\r\n/g, '')
}

function isOver({ socket }: Conversation): boolean {
  return socket.destroyed || socket.writableEnded
}

function shown(conversation: Conversation): object {
  return {
    seen: conversation.seen,
    said: said(conversation),
    isOver: isOver(conversation),
    by: conversation.servedByFront,
  }
}
