import type { NeutralAnswer } from './neutral-answer.ts'
import type { AnswerBlock, NeutralRequest, Turn } from './neutral-request.ts'
import type { Notes } from './notes.ts'
import { inRealm } from './opaque-reasoning.ts'

/** The tags of the realms that made reasoning in a request, as far as it says so. */
export function realmsOf({ turns }: NeutralRequest): ReadonlySet<string> {
  const tags = new Set<string>()
  for (const turn of turns) {
    if (turn.role !== 'assistant') continue
    for (const part of turn.parts) {
      if (part.kind === 'reasoning' && part.opaque?.realm !== undefined) tags.add(part.opaque.realm)
    }
  }
  return tags
}

/** The request without reasoning that the realm cannot read, which is named: the provider would refuse the whole for it. */
export function readableIn(realm: string, request: NeutralRequest, notes: Notes): NeutralRequest {
  return { ...request, turns: request.turns.map((turn) => readableTurn(realm, turn, notes)) }
}

function readableTurn(realm: string, turn: Turn, notes: Notes): Turn {
  if (turn.role !== 'assistant') return turn
  const parts = turn.parts.filter((part) => {
    const isReadable = part.kind !== 'reasoning' || (part.opaque?.realm ?? realm) === realm
    if (!isReadable) notes.drop(`${part.at}.reasoning`)
    return isReadable
  })
  return parts.length === turn.parts.length ? turn : { ...turn, parts }
}

/** A whole answer with its reasoning tagged. */
export function madeIn(realm: string | undefined, answer: NeutralAnswer): NeutralAnswer {
  if (realm === undefined) return answer
  const tagged = (block: AnswerBlock): AnswerBlock =>
    block.kind === 'reasoning' && block.opaque !== null ? { ...block, opaque: inRealm(block.opaque, realm) } : block
  return { choices: answer.choices.map((choice) => ({ ...choice, blocks: choice.blocks.map(tagged) })) }
}
