import { type ScriptedUpstream, scriptedUpstream, well } from './scripted-upstream.ts'

/** What a provider of Chat Completions alone is like. */
export interface ChatProviderOptions {
  readonly credential: string
  readonly models: readonly string[]
  /** Whether it takes its credential as `x-api-key` too, as other gateways do. */
  readonly takesApiKeyHeader?: boolean
}

/** A provider that has a list of models and Chat Completions below `/v1`, and nothing else. */
export function chatProvider(options: ChatProviderOptions): Promise<ScriptedUpstream> {
  const { credential, models, takesApiKeyHeader = false } = options
  return scriptedUpstream((request, response) => {
    const { authorization, 'x-api-key': apiKey } = request.headers
    const isKnown = authorization === `Bearer ${credential}` || (takesApiKeyHeader && apiKey === credential)
    const answer = (status: number, body: object): void => {
      request.resume()
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (!isKnown) return answer(401, { error: { message: 'Incorrect API key.', type: 'invalid_request_error' } })
    const [path] = (request.url ?? '').split('?')
    if (path === '/v1/chat/completions') return well(request, response)
    if (path !== '/v1/models') return answer(404, { error: { message: `No route ${path}.`, type: 'not_found' } })
    return answer(200, { object: 'list', data: models.map((id) => ({ id, object: 'model', owned_by: 'provider' })) })
  })
}
