import type { Wire } from '../core/wire.ts'
import type { Model, Target, UpstreamProtocol } from './catalog.ts'

const WIRES: Record<UpstreamProtocol, readonly Wire[]> = {
  openai: ['openai-chat', 'openai-responses', 'openai-embeddings'],
  'openai-chat': ['openai-chat', 'openai-embeddings'],
  anthropic: ['anthropic-messages'],
  gemini: [],
  demo: ['openai-chat', 'openai-responses', 'openai-embeddings', 'anthropic-messages'],
}

/** Whether an upstream of this protocol understands the wire format as it is, without translation. */
export function speaks(protocol: UpstreamProtocol, wire: Wire): boolean {
  return WIRES[protocol].includes(wire)
}

/** The wire formats in which a model can be called now. */
export function wiresOf(model: Model, protocolOf: (upstreamId: string) => UpstreamProtocol | null): readonly Wire[] {
  const wires = new Set<Wire>()
  for (const target of model.targets) {
    const protocol = protocolOf(target.upstreamId)
    if (protocol !== null) for (const wire of WIRES[protocol]) wires.add(wire)
  }
  return [...wires]
}

/**
 * The targets in the order in which they are tried: by priority, and among equals by chance, each as likely to be first as
 * its weight says. `random` gives numbers from 0 to 1. A weight of 0 comes after the others of its priority.
 */
export function orderTargets(targets: readonly Target[], random: () => number): readonly Target[] {
  if (targets.length < 2) return targets
  return targets
    .map((target) => ({ target, draw: target.weight > 0 ? random() ** (1 / target.weight) : -1 }))
    .sort((a, b) => a.target.priority - b.target.priority || b.draw - a.draw)
    .map(({ target }) => target)
}
