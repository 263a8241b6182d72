import { CHAT_WIRES, type ChatWire, isChatWire, type Wire } from '../core/wire.ts'
import type { Model, Target, UpstreamProtocol } from './catalog.ts'
import { missingPrice } from './missing-price.ts'

/** Wires of OpenAI's family that pass on as they are. */
const PLAIN_WIRES = [
  'openai-embeddings',
  'openai-completions',
  'openai-moderations',
  'openai-images',
  'openai-speech',
  'openai-transcriptions',
  'rerank',
] as const satisfies readonly Wire[]

const WIRES: Record<UpstreamProtocol, readonly Wire[]> = {
  openai: ['openai-chat', 'openai-responses', ...PLAIN_WIRES],
  'openai-chat': ['openai-chat', ...PLAIN_WIRES],
  anthropic: ['anthropic-messages'],
  gemini: ['gemini'],
  demo: [...CHAT_WIRES, ...PLAIN_WIRES],
}

/**
 * What an upstream is asked in when the client's wire is not its own, the best first: the next is tried when the request has
 * something that the one before cannot carry. OpenAI's responses hand reasoning back, which chat completions do not.
 */
const TRANSLATED: Record<UpstreamProtocol, readonly ChatWire[]> = {
  openai: ['openai-responses', 'openai-chat'],
  'openai-chat': ['openai-chat'],
  anthropic: ['anthropic-messages'],
  gemini: ['gemini'],
  demo: ['openai-responses', 'openai-chat'],
}

const NONE: readonly Wire[] = []
const SAME = Object.fromEntries([...CHAT_WIRES, ...PLAIN_WIRES].map((wire) => [wire, [wire]])) as unknown as Record<
  Wire,
  readonly Wire[]
>

/** Whether an upstream of this protocol understands the wire format as it is, without translation. */
export function speaks(protocol: UpstreamProtocol, wire: Wire): boolean {
  return WIRES[protocol].includes(wire)
}

/** The wires in which an upstream can be asked for what came in `wire`, the best first: `wire` itself where it speaks it. */
export function wiresTo(protocol: UpstreamProtocol, wire: Wire): readonly Wire[] {
  if (speaks(protocol, wire)) return SAME[wire]
  return isChatWire(wire) ? TRANSLATED[protocol] : NONE
}

/** The wire formats in which a model can be called now: every chat wire, and what its upstreams speak beside. */
export function wiresOf(model: Model, protocolOf: (upstreamId: string) => UpstreamProtocol | null): readonly Wire[] {
  const wires = new Set<Wire>()
  for (const target of model.targets) {
    const protocol = protocolOf(target.upstreamId)
    if (protocol === null) continue
    for (const wire of CHAT_WIRES) wires.add(wire)
    for (const wire of WIRES[protocol]) wires.add(wire)
  }
  const { prices } = model
  return prices === null ? [...wires] : [...wires].filter((wire) => missingPrice(wire, prices) === null)
}

/**
 * The targets in the order in which they are tried: by priority; among equals those that are preferred; and among those by
 * chance, each as likely to be first as its weight says. `random` gives numbers from 0 to 1. A weight of 0 comes after all
 * others of its priority.
 */
export function orderTargets(
  targets: readonly Target[],
  random: () => number,
  isPreferred: (target: Target) => boolean,
): readonly Target[] {
  if (targets.length < 2) return targets
  return targets
    .map((target) => ({ target, draw: drawOf(target, random, isPreferred) }))
    .sort((a, b) => a.target.priority - b.target.priority || b.draw - a.draw)
    .map(({ target }) => target)
}

/** From 0 to 1 by chance, 1 more where it is preferred, and -1 where it is to come last. */
function drawOf(target: Target, random: () => number, isPreferred: (target: Target) => boolean): number {
  if (target.weight === 0) return -1
  return random() ** (1 / target.weight) + (isPreferred(target) ? 1 : 0)
}
