import { explainedFault } from '../../causes/explained-fault.ts'
import { Fault } from '../../core/faults.ts'
import { explainUnservedOfGoogle } from './unserved-paths.ts'

/**
 * What a path in the form of Google's API asks for: `/v1beta/models/{model}:{method}` and `/v1beta/models`; null where it has
 * not that form. A model's name may hold slashes and colons, encoded or not. Clients append the version by themselves, and
 * people enter it as well: any number of versions answers, and so does `/gemini` in front.
 */
export function recogniseGemini(
  method: string,
  path: string,
): { readonly route: GeminiRoute; readonly meantBasePath: string | null } | null {
  const straight = straightGemini(path)
  const below = /^\/models(?:\/(.+))?$/.exec(straight.below)
  const meantBasePath = straight.isExact ? null : ''
  if (below === null || FULL_ENDPOINT.test(path)) return null
  const name = decode(below[1] ?? '')
  if (name === null) return null
  if ((method === 'GET' || method === 'HEAD') && straight.isGemini && !METHOD.test(path)) {
    const route: GeminiRoute =
      name === '' ? { kind: 'models', family: 'gemini' } : { kind: 'model', name, family: 'gemini' }
    return { route, meantBasePath }
  }
  const colon = name.lastIndexOf(':')
  const route = method === 'POST' && colon > 0 ? routeOf(name.slice(0, colon), name.slice(colon + 1)) : null
  return route === null ? null : { route, meantBasePath }
}

/** Whether the path is meant for Google's API, whatever it asks for. */
export function isGeminiPath(path: string): boolean {
  return straightGemini(withoutUpload(path)).isGemini || METHOD.test(path) || path.startsWith('/ws/google.')
}

/** Google's SDKs send files to `/upload/v1beta/files`. */
function withoutUpload(path: string): string {
  return path.replace(/^\/upload(?=\/)/, '')
}

/** Says what is wrong with a path in Google's form that `recogniseGemini` does not know; null where it is of another form. */
export function explainGemini(asked: { method: string; path: string }, origin: string): Fault | null {
  const { method, path } = asked
  if (!isGeminiPath(path)) return null
  if (FULL_ENDPOINT.test(path)) {
    return explainedFault('base_url_wrong', { enter: origin }, { hint: origin })
  }
  const named = METHOD.exec(path)?.[1]
  if (named !== undefined && /embed/i.test(named)) {
    return new Fault(
      'path_unknown',
      `Embeddings are not served in Google’s format. Send them in OpenAI’s: POST ${origin}/v1/embeddings.`,
    )
  }
  if (named !== undefined && SERVED.test(named) && method !== 'POST') {
    return explainedFault('path_unknown', { path: `:${named}`, method, takes: 'POST' })
  }
  const unserved = explainUnservedOfGoogle({ ...asked, below: straightGemini(withoutUpload(path)).below })
  if (unserved !== null) return unserved
  return new Fault(
    'path_unknown',
    `There is nothing at this path. In Google’s form there are POST ${origin}/v1beta/models/MODEL:generateContent, ` +
      ':streamGenerateContent?alt=sse and :countTokens, and GET /v1beta/models. Base URL for Gemini clients: ' +
      `${origin}.`,
  )
}

/**
 * Google streams a JSON array unless `alt=sse` is asked for, which all its SDKs do. Throws the fault `request_invalid` for
 * the array: nothing could be said within it while a model is silent.
 */
export function refuseArrayStream(queryText: string): void {
  const query = new URLSearchParams(queryText)
  if (query.get('alt') === 'sse' || query.get('$alt') === 'sse') return
  throw new Fault('request_invalid', 'Streams are server-sent events here. Add ?alt=sse to the URL.', { param: 'alt' })
}

/** What a path in Google's form asks for: some of the routes of `paths.ts`. */
type GeminiRoute =
  | { readonly kind: 'models'; readonly family: 'gemini' }
  | { readonly kind: 'model'; readonly name: string; readonly family: 'gemini' }
  | (ModelInPath & { readonly kind: 'generate'; readonly isStream: boolean; readonly wantsEventStream: boolean })
  | (ModelInPath & { readonly kind: 'count_tokens' })

interface ModelInPath {
  readonly wire: 'gemini'
  readonly model: string
  readonly upstreamPath: string
}

const METHOD =
  /:((?:streamG|g)enerateContent|countTokens|(?:batchE|e)mbedContents?|(?:asyncB|b)atch\w+|predict\w*|generate(?:Answer|Images|Videos)|computeTokens)(?:$|\/)/
const SERVED = /^(?:(?:streamG|g)enerateContent|countTokens)$/
const FULL_ENDPOINT = /:(?:(?:streamG|g)enerateContent|countTokens)\/+[^/]/
const VERSIONS = /^(?:\/v1(?:beta|alpha)?(?=\/|$))+/

/** The path below its versions, and whether something in it is Google's alone. `isExact`: one version and nothing before. */
function straightGemini(path: string): { below: string; isGemini: boolean; isExact: boolean } {
  const single = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  const bare = single.replace(/^\/gemini(?=\/)/, '')
  const versions = VERSIONS.exec(bare)?.[0] ?? ''
  const isGemini = bare !== single || /beta|alpha/.test(versions)
  return {
    below: bare.slice(versions.length),
    isGemini,
    isExact: single === path && /^\/\w+$/.test(versions) && bare === single,
  }
}

function routeOf(model: string, method: string): GeminiRoute | null {
  const written = model.split('/').map(encodeURIComponent).join('/')
  const common = { wire: 'gemini', model, upstreamPath: `/models/${written}:${method}` } as const
  if (method === 'countTokens') return { kind: 'count_tokens', ...common }
  if (method === 'generateContent') return { kind: 'generate', ...common, isStream: false, wantsEventStream: false }
  return method === 'streamGenerateContent'
    ? { kind: 'generate', ...common, isStream: true, wantsEventStream: true }
    : null
}

/** A part of a path without its escapes; null: they are broken. */
export function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
