import { type WireFamily, wireFacts, WIRE_NAMES } from '../core/wire.ts'

/**
 * What is served of an API that a path belongs to, where the path itself is a part of it that no gateway route serves: files,
 * batches, assistants and the like. The base URL is right then. null: the path belongs to none. `straight`: with one `/v1`.
 */
export function servedBeside(straight: string): readonly string[] | null {
  return PARTS.find(([path]) => straight === path || straight.startsWith(`${path}/`))?.[1] ?? null
}

/** What is served of Google's API; `below` is the path behind its version. */
export function servedByGoogle(below: string): readonly string[] | null {
  const isPart = GOOGLES_PARTS.some(
    (path) => below === path || [`${path}/`, `${path}:`].some((at) => below.startsWith(at)),
  )
  return isPart || GOOGLES_METHODS.test(below) ? GOOGLES_ENDPOINTS : null
}

function endpointsOf(family: WireFamily): readonly string[] {
  return WIRE_NAMES.filter((wire) => wireFacts(wire).family === family).map((wire) => wireFacts(wire).endpoint)
}

const ENDPOINTS_OF_BOTH = [...endpointsOf('anthropic'), ...endpointsOf('openai')]
const OPENAIS_ENDPOINTS = endpointsOf('openai')
const ANTHROPICS_ENDPOINTS = endpointsOf('anthropic')
const IMAGES = Object.keys(wireFacts('openai-images').paths).map((path) => `POST ${path}`)
const AUDIO = ['openai-speech', 'openai-transcriptions'] as const
const SOUNDS = AUDIO.flatMap((wire) => Object.keys(wireFacts(wire).paths).map((path) => `POST ${path}`))

/** Paths of openai-node 7 and of Anthropic's SDK 1.11 beside those that are served, each with what is served of that API. */
const PARTS: readonly (readonly [string, readonly string[]])[] = [
  ...parts(['agents', 'files', 'skills', 'vaults'], ENDPOINTS_OF_BOTH),
  ...parts(
    [
      'answers',
      'assistants',
      'batches',
      'chatkit',
      'classifications',
      'containers',
      'content_provenance_checks',
      'conversations',
      'decisions',
      'edits',
      'engines',
      'evals',
      'fine_tuning',
      'fine-tunes',
      'live',
      'organization',
      'projects',
      'realtime',
      'search',
      'threads',
      'uploads',
      'vector_stores',
      'videos',
      'webhook_endpoints',
      'webhook_event_types',
    ],
    OPENAIS_ENDPOINTS,
  ),
  ...parts(
    [
      'complete',
      'deployment_runs',
      'deployments',
      'dreams',
      'environments',
      'experimental',
      'memory_stores',
      'organizations',
      'sessions',
      'tunnels',
      'user_profiles',
    ],
    ANTHROPICS_ENDPOINTS,
  ),
  ['/v1/images/variations', IMAGES],
  ...parts(['audio/voices', 'audio/voice_consents'], SOUNDS),
]

function parts(names: readonly string[], served: readonly string[]): [string, readonly string[]][] {
  return names.map((name) => [`/v1/${name}`, served])
}

const GOOGLES_PARTS = [
  '/agents',
  '/auth_tokens',
  '/batches',
  '/cachedContents',
  '/corpora',
  '/dynamic',
  '/fileSearchStores',
  '/files',
  '/generatedFiles',
  '/interactions',
  '/operations',
  '/tunedModels',
  '/webhooks',
  '/ws',
]

/** Methods of models beside those that are served. */
const GOOGLES_METHODS = /^\/models\/.{1,300}:(?!(?:streamG|g)enerateContent|countTokens)[a-z]\w{2,60}$/i

const GOOGLES_ENDPOINTS = [
  'POST /v1beta/models/MODEL:generateContent',
  ':streamGenerateContent',
  ':countTokens',
  'GET /v1beta/models',
]
