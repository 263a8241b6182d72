import type { ModelListResult } from '../../core/model-list-results.ts'
import { type UpstreamProtocol, upstreamProtocolFacts } from '../../core/upstream-protocol.ts'
import { wireFacts } from '../../core/wire.ts'
import type { UpstreamClient } from '../../upstreams/upstream-client.ts'
import { kindOfUnreachable, whyUnreachable } from '../../upstreams/why-unreachable.ts'
import { askOnce, type OnceBounds } from './ask-once.ts'
import type { ReceivedList } from './model-list-answer.ts'

/** The query that asks for the largest page, of protocols that list models page by page. */
const LARGEST_PAGE: Readonly<Partial<Record<UpstreamProtocol, string>>> = {
  anthropic: '?limit=1000',
  gemini: '?pageSize=1000',
}

/**
 * Asks for the list of models, once; what is beyond `limitBytes` is not read. Redirects are not followed. `isWhole`: for as
 * long a list as there is.
 */
export async function askForModels(
  { client, protocol }: { readonly client: UpstreamClient; readonly protocol: UpstreamProtocol },
  { limitMs, limitBytes, isWhole = false }: ModelsBounds,
): Promise<ModelsAnswer> {
  const { headers } = wireFacts(upstreamProtocolFacts(protocol).wires[0])
  const path = `/models${isWhole ? (LARGEST_PAGE[protocol] ?? '') : ''}`
  const answer = await askOnce(client, { path, headers: headers ?? {} }, { limitMs, limitBytes })
  if (answer.kind === 'answered') return answer
  if (answer.kind === 'late') {
    return { kind: 'none', result: 'too_slow', why: `It did not answer within ${limitMs / 1000} s.` }
  }
  return { kind: 'none', result: kindOfUnreachable(answer.cause), why: whyUnreachable(answer.cause) }
}

interface ModelsBounds extends OnceBounds {
  readonly isWhole?: boolean
}

export type ModelsAnswer =
  | ({ readonly kind: 'answered' } & ReceivedList)
  | { readonly kind: 'none'; readonly result: ModelListResult; readonly why: string }
