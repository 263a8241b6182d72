import type { Fault } from '../../../core/faults.ts'
import { factsOf } from '../../../models/table.ts'
import { isObject } from '../../json/json-object.ts'
import type { Protocol } from '../../protocol.ts'
import { writeJson } from '../../json/exact-json.ts'
import { largeWith, parsed } from '../../hub/own-reasoning.ts'
import { isWrappedSignature, mayHoldWrappedSignature, NO_SIGNATURE, WRAPPED } from './signatures.ts'

type Rewrite = Protocol['rewriteRequest']

const QUOTED_MARK = `"${WRAPPED}`

/**
 * Requests on Gemini's own wire, for upstreams that refuse signatures they did not make: a conversation that another model
 * has answered in part holds such signatures, marked. Only a body with the mark in it is parsed and written anew; all others
 * pass as `rewrite` has them. Throws the fault `request_invalid` for one that is too large for that.
 */
export function keepingOwnSignatures(rewrite: Rewrite): Rewrite {
  return (body, head, change) => {
    const pieces = rewrite(body, head, change)
    if (!mayHoldWrappedSignature(body)) return pieces
    const request = parsed(Buffer.concat(pieces), QUOTED_MARK)
    const contents: unknown = request?.['contents']
    if (request === null || !Array.isArray(contents)) return pieces
    const { signed_calls: signed } = factsOf(change.takesLike ?? { name: change.model }, 'gemini')
    const own = contents.map((content: unknown) => withOwnSignatures(content, signed === 'required'))
    return [Buffer.from(writeJson(() => ({ ...request, contents: own })))]
  }
}

/** See `ProtocolBase.rewriteRefusal`. */
export function ownSignaturesRefusal(body: Buffer): Fault | null {
  return largeWith(QUOTED_MARK, body)
}

function withOwnSignatures(content: unknown, isRequired: boolean): unknown {
  if (!isObject(content) || !Array.isArray(content['parts'])) return content
  return { ...content, parts: content['parts'].map((part: unknown) => withOwnSignature(part, isRequired)) }
}

/** A call keeps the word for a signature that is not there, where its model wants one. */
function withOwnSignature(part: unknown, isRequired: boolean): unknown {
  if (!isObject(part)) return part
  const { thoughtSignature, thought_signature: snake, ...rest } = part
  const signature = thoughtSignature ?? snake
  if (typeof signature !== 'string' || !isWrappedSignature(signature)) return part
  const isCall = (rest['functionCall'] ?? rest['function_call'] ?? null) !== null
  return isCall && isRequired ? { ...rest, thoughtSignature: NO_SIGNATURE } : rest
}
