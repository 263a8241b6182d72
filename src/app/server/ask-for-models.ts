import { type UpstreamProtocol, upstreamProtocolFacts } from '../../core/upstream-protocol.ts'
import { wireFacts } from '../../core/wire.ts'
import { errorIn, withoutSecrets } from '../../gateway/upstream-faults.ts'
import type { UpstreamClient } from '../../upstreams/upstream-client.ts'
import { whyUnreachable } from '../../upstreams/why-unreachable.ts'
import { askOnce, type OnceBounds } from './ask-once.ts'

/** By which those that list models page by page list as many as one page may have. */
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
  const why = answer.kind === 'late' ? `It did not answer within ${limitMs / 1000} s.` : whyUnreachable(answer.cause)
  return { kind: 'none', why }
}

interface ModelsBounds extends OnceBounds {
  readonly isWhole?: boolean
}

export type ModelsAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Buffer }
  | { readonly kind: 'none'; readonly why: string }

/** What an answer means, and what it said itself, without what is secret. */
export function saidOf(
  { status, body }: Extract<ModelsAnswer, { kind: 'answered' }>,
  secrets: readonly string[],
): string {
  const error = status >= 200 && status < 300 ? null : errorIn(body)
  const said = error?.message?.slice(0, LONGEST_SAID) ?? null
  const more = said === null ? '' : ` It said: ${withoutSecrets(said, secrets)}`
  return meaningOf(status, error?.code ?? null) + more
}

const LONGEST_SAID = 300

/** `code`: Google's reason, whose wrong credential is a 400. */
function meaningOf(status: number, code: string | null): string {
  if (status >= 200 && status < 300) return 'It answered with its list of models.'
  if (status >= 300 && status < 400) return 'It redirects, and redirects are not followed: enter the final base URL.'
  if (status === 401 || status === 403 || code === 'API_KEY_INVALID') return 'It refused the credential.'
  if (status === 404)
    return 'It knows no list of models at this base URL: check its path, such as /v1 or /v1beta at its end.'
  if (status === 429) return 'It answered that there are too many requests; address and credential were understood.'
  return `It answered with the status ${status}.`
}
