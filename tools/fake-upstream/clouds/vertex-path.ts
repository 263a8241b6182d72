/** What a path of Vertex AI asks for. */

interface Place {
  /** null: express mode. */
  readonly project: string | null
  readonly location: string | null
  readonly isStream: boolean
}

export type VertexCall =
  | (Place & { readonly kind: 'gemini'; readonly model: string; readonly asks: 'whole' | 'stream' | 'count' })
  | (Place & { readonly kind: 'claude'; readonly model: string; readonly isCount: boolean })
  | (Place & { readonly kind: 'openai'; readonly path: string; readonly endpoint: string })
  | { readonly kind: 'list'; readonly publisher: string; readonly pageToken: string | null }

const GEMINI_METHODS = { generateContent: 'whole', streamGenerateContent: 'stream', countTokens: 'count' } as const

/** null: there is nothing at this path. */
export function readVertexPath(method: string, url: string): VertexCall | null {
  const { pathname, searchParams } = new URL(url, 'http://fake')
  const listed = /^\/v1beta1\/publishers\/([\w*-]+)\/models$/.exec(pathname)
  if (method === 'GET' && listed !== null) {
    return { kind: 'list', publisher: listed[1] ?? '', pageToken: searchParams.get('pageToken') }
  }
  const [, version, project = null, location = null, below = ''] =
    /^\/(v1|v1beta1)(?:\/projects\/([^/]+)\/locations\/([^/]+))?\/(.+)$/.exec(pathname) ?? []
  if (method !== 'POST' || version === undefined) return null
  const place = { project, location }
  const [, publisher, model, verb = ''] = /^publishers\/([^/]+)\/models\/(.+):(\w+)$/.exec(below) ?? []
  if (publisher === 'google') return geminiCall(decodeURIComponent(model ?? ''), verb, { place, searchParams })
  if (publisher === 'anthropic') return claudeCall(decodeURIComponent(model ?? ''), verb, place)
  const [, endpoint, path] =
    /^endpoints\/(openapi|\d+)(\/(?:chat\/completions|completions|embeddings))$/.exec(below) ?? []
  if (endpoint === undefined || path === undefined || project === null) return null
  // Whether it streams stands in the body: its errors are not in a list.
  return { kind: 'openai', path, endpoint, ...place, isStream: false }
}

function geminiCall(
  model: string,
  verb: string,
  { place, searchParams }: { place: Omit<Place, 'isStream'>; searchParams: URLSearchParams },
): VertexCall | null {
  if (!Object.hasOwn(GEMINI_METHODS, verb)) return null
  const asks = GEMINI_METHODS[verb as keyof typeof GEMINI_METHODS]
  // Without it there would be one list, which no client of ours reads.
  if (asks === 'stream' && searchParams.get('alt') !== 'sse') return null
  return { kind: 'gemini', model, asks, ...place, isStream: asks === 'stream' }
}

function claudeCall(model: string, verb: string, place: Omit<Place, 'isStream'>): VertexCall | null {
  if (verb !== 'rawPredict' && verb !== 'streamRawPredict') return null
  const isCount = model === 'count-tokens'
  const isStream = verb === 'streamRawPredict'
  return isCount && isStream ? null : { kind: 'claude', model, isCount, ...place, isStream }
}
