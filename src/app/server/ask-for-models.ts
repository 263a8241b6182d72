import type { UpstreamTest } from '../../control/parts.ts'
import type { ModelListResult } from '../../core/model-list-results.ts'
import { type UpstreamProtocol, upstreamProtocolFacts } from '../../core/upstream-protocol.ts'
import { wireFacts } from '../../core/wire.ts'
import { errorIn, withoutSecrets } from '../../gateway/upstream-faults.ts'
import type { UpstreamClient } from '../../upstreams/upstream-client.ts'
import { kindOfUnreachable, whyUnreachable } from '../../upstreams/why-unreachable.ts'
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
  if (answer.kind === 'late') {
    return { kind: 'none', result: 'too_slow', why: `It did not answer within ${limitMs / 1000} s.` }
  }
  return { kind: 'none', result: kindOfUnreachable(answer.cause), why: whyUnreachable(answer.cause) }
}

interface ModelsBounds extends OnceBounds {
  readonly isWhole?: boolean
}

export type ModelsAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Buffer }
  | { readonly kind: 'none'; readonly result: ModelListResult; readonly why: string }

/** What an answer means, and what it said itself, without what is secret. `detail`: both in a sentence. */
export function meaningOf(
  { status, body }: Extract<ModelsAnswer, { kind: 'answered' }>,
  secrets: readonly string[],
): Pick<UpstreamTest, 'result' | 'said' | 'detail'> {
  const error = status >= 200 && status < 300 ? null : errorIn(body)
  const message = error?.message?.slice(0, LONGEST_SAID) ?? null
  const said = message === null ? null : withoutSecrets(message, secrets)
  const result = resultOf(status, error?.code ?? null)
  const sentence = result === 'status' ? `It answered with the status ${status}.` : SENTENCES[result]
  return { result, said, detail: sentence + (said === null ? '' : ` It said: ${said}`) }
}

/** It answered, and not with a list. */
export const NOT_A_LIST = {
  result: 'not_a_list',
  said: null,
  detail: 'It answered with something else than a list of models.',
} as const

const LONGEST_SAID = 300

const SENTENCES = {
  listed: 'It answered with its list of models.',
  redirect: 'It redirects, and redirects are not followed: enter the final base URL.',
  credential_refused: 'It refused the credential.',
  no_list: 'It knows no list of models at this base URL: check its path, such as /v1 or /v1beta at its end.',
  too_many_requests: 'It answered that there are too many requests; address and credential were understood.',
} as const

/** `code`: Google's reason, whose wrong credential is a 400. */
function resultOf(status: number, code: string | null): keyof typeof SENTENCES | 'status' {
  if (status >= 200 && status < 300) return 'listed'
  if (status >= 300 && status < 400) return 'redirect'
  if (status === 401 || status === 403 || code === 'API_KEY_INVALID') return 'credential_refused'
  if (status === 404) return 'no_list'
  return status === 429 ? 'too_many_requests' : 'status'
}
