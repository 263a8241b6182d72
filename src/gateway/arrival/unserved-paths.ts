import { explainedFault } from '../../causes/explained-fault.ts'
import type { Fault } from '../../core/faults.ts'
import { type WireFamily, wireFacts, WIRE_NAMES } from '../../core/wire.ts'
import { shownPath } from './shown-path.ts'

/**
 * Says that a path belongs to a part of a provider's API that no route here serves: files, batches, assistants and the like.
 * The base URL is right then, and saying otherwise sends people looking for a mistake that is not there. Null: the path
 * belongs to none. `straight` is the path with one `/v1`.
 */
export function explainUnserved(asked: Asked & { straight: string }): Fault | null {
  const { straight } = asked
  const part = PARTS.find(([path]) => straight === path || straight.startsWith(`${path}/`))
  return part === undefined ? null : unserved(asked, part[1])
}

/** The same for Google's API; `below` is the path behind its version. */
export function explainUnservedOfGoogle(asked: Asked & { below: string }): Fault | null {
  const { below } = asked
  const isPart = GOOGLES_PARTS.some((path) => below === path || below.startsWith(`${path}/`))
  return isPart ? unserved(asked, GOOGLES_ENDPOINTS) : null
}

interface Asked {
  readonly method: string
  readonly path: string
}

function unserved({ method, path }: Asked, served: readonly string[]): Fault {
  const facts = { path: shownPath(path), method: shownPath(method), served: served.join(' and ') }
  return explainedFault('path_unknown', facts)
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
      'assistants',
      'batches',
      'chatkit',
      'containers',
      'content_provenance_checks',
      'conversations',
      'decisions',
      'evals',
      'fine_tuning',
      'fine-tunes',
      'live',
      'organization',
      'projects',
      'realtime',
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
  '/auth_tokens',
  '/batches',
  '/cachedContents',
  '/corpora',
  '/fileSearchStores',
  '/files',
  '/interactions',
  '/operations',
  '/tunedModels',
]

const GOOGLES_ENDPOINTS = [
  'POST /v1beta/models/MODEL:generateContent',
  ':streamGenerateContent',
  ':countTokens',
  'GET /v1beta/models',
]
