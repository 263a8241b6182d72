import type { AnswerBlock, NeutralRequest, ProviderSignature, Turn, Vendor } from './neutral-request.ts'
import { scanObject } from '../json/json-scan.ts'
import type { NeutralAnswer } from './neutral-answer.ts'
import type { Notes } from './notes.ts'

/**
 * Begins reasoning of another vendor in a field that is meant for the wire's own. Its first letter is rare in JSON: a body of
 * 200 KB is searched for it in 3 µs, where a `t` took 70.
 */
export const WRAPPED_PREFIX = '~tollgate.reasoning.'

/**
 * A signature as a field of a wire has it whose own vendor is `home`: byte for byte what came when it is the home's own,
 * else wrapped, so that a client can send it back and `openOpaque` finds it again.
 */
export function writeOpaque(opaque: ProviderSignature, home: Vendor): string {
  if (opaque.vendor === home) return opaque.data
  const { vendor, ...rest } = opaque
  return WRAPPED_PREFIX + Buffer.from(JSON.stringify({ maker: vendor, ...rest })).toString('base64url')
}

/** What `writeOpaque` wrote, or the home's own. `own` is what the neighbouring fields say of it then. */
export function openOpaque(
  written: string,
  home: Vendor,
  own: Omit<ProviderSignature, 'vendor' | 'data'> = {},
): ProviderSignature {
  const wrapped = written.startsWith(WRAPPED_PREFIX) ? unwrap(written.slice(WRAPPED_PREFIX.length)) : null
  return wrapped ?? { vendor: home, data: written, ...own }
}

/** Whether bytes of a request may hold reasoning of another vendor than the wire's own. */
export function mayHoldForeignReasoning(body: Buffer): boolean {
  return body.includes(WRAPPED_PREFIX)
}

/** The tag of the realm in what `writeOpaque` wrote; null: it has none. */
export function realmTagOf(written: string): string | null {
  return written.startsWith(WRAPPED_PREFIX) ? (unwrap(written.slice(WRAPPED_PREFIX.length))?.realm ?? null) : null
}

/**
 * What came from an upstream, with the tag of its realm where its vendor's reasoning is good nowhere else
 * (`protocols/bound-content.ts` says whose is).
 */
export function inRealm(opaque: ProviderSignature, tag: string | undefined): ProviderSignature {
  return tag !== undefined && BOUND.has(opaque.vendor) && opaque.data !== '' ? { ...opaque, realm: tag } : opaque
}

const BOUND: ReadonlySet<Vendor> = new Set(['openai', 'google'])

const VENDORS: ReadonlySet<unknown> = new Set(['anthropic', 'openai', 'google', 'bedrock', 'chat'] satisfies Vendor[])

const FIELDS = new Set(['maker', 'data', 'id', 'isRedacted', 'realm'])

function unwrap(base64: string): ProviderSignature | null {
  try {
    const bytes = Buffer.from(base64, 'base64url')
    const { fields } = scanObject(bytes, { wanted: FIELDS })
    const written = (name: string): string | undefined => {
      const place = fields.get(name)
      return place === undefined ? undefined : bytes.toString('utf8', place.start, place.end)
    }
    const textOf = (name: string): unknown => {
      const text = written(name)
      // Nothing else is parsed: any client can write such a piece.
      return text?.startsWith('"') === true ? JSON.parse(text) : undefined
    }
    // `maker` is its name in conversations that clients keep.
    const [vendor, data, id, realm] = [textOf('maker'), textOf('data'), textOf('id'), textOf('realm')]
    if (!VENDORS.has(vendor) || typeof data !== 'string') return null
    return {
      vendor: vendor as Vendor,
      data,
      ...(typeof id === 'string' ? { id } : {}),
      ...(written('isRedacted') === 'true' ? { isRedacted: true } : {}),
      ...(typeof realm === 'string' ? { realm } : {}),
    }
  } catch {
    return null
  }
}

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
