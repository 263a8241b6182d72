import type { JsonObject } from '../json/json-object.ts'
import type { NeutralRequest } from './neutral-request.ts'
import type { ClientCall, Spoke } from './spoke.ts'

/** What writing the answer needs of the request: not the conversation, which is most of it. */
export function clientCall(
  { conversation, keptOf }: Spoke,
  { json, request }: { readonly json: JsonObject; readonly request: NeutralRequest },
  about: Pick<ClientCall, 'requestId' | 'model' | 'nowMs' | 'includeUsage'>,
): ClientCall {
  const { [conversation]: said, ...rest } = json
  const asked = keptOf === undefined ? rest : { ...rest, [conversation]: keptOf(said) }
  return { ...about, asked, request: { ...request, turns: [] } }
}
